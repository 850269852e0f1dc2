// Holds Python and the referee. Requests come one at a time; one that nobody waits for any more is left out.
const PART = PARTS;
const LOCK = ENGINE; // the engine asks for no package of its own
const PATIENCE = 20_000; // ms without a byte after which a download counts as broken off
const FIRST = ["engine.wasm", "library.zip", "packages.pack", "cards.sqlite", "engine.mjs", "python.mjs"];
const BEHIND = ["rest.pack", "questions.sqlite"]; // what few pages need
const base = new URL("..", import.meta.url);
const KEPT = `thunderref ${base.pathname}`; // the cache that the service worker fills, too
const OWN = new Request(new URL("own", base)); // under which the boxes that were loaded are kept, in a cache of their own
const waiting = [], later = []; // requests; those that need what is behind
let referee = null, begun = false, busy = false, python = null, kept = "", needed = FIRST;

// The content of a part; one that cannot be had is waited for until somebody tries again.
async function fetched(name) {
  const part = PART[name], url = new URL(part.file, base);
  const cache = await caches.open(KEPT).catch(() => null);
  const had = cache && await cache.match(url);
  if (had) { tell(part, part.size); return had.arrayBuffer(); }
  for (let from = "default"; ; from = "reload") {
    try {
      const content = await download(part, url, from);
      if (cache) await cache.put(url, new Response(content)).catch(() => {}); // a full phone asks again next time
      return content.buffer;
    } catch ({ message }) {
      if (message === "wrong-file" && from === "default") continue; // perhaps only the browser has kept another one
      part.trouble = [message === "wrong-file" ? message : "broke-off", name];
      tell(part, 0);
      await new Promise(again => { part.again = again; });
      part.trouble = null;
      tell(part, 0);
    }
  }
}

async function download(part, url, from) {
  const stop = new AbortController(), content = new Uint8Array(part.size);
  let at = 0, patience = setTimeout(() => stop.abort(), PATIENCE);
  const answer = await fetch(url, { cache: from, signal: stop.signal });
  if (!answer.ok) throw new Error(answer.status < 500 ? "wrong-file" : "broke-off");
  const reader = answer.body.getReader();
  for (let piece; !(piece = await reader.read()).done; tell(part, at)) {
    clearTimeout(patience);
    patience = setTimeout(() => stop.abort(), PATIENCE);
    if (at + piece.value.length > part.size) throw new Error("wrong-file");
    content.set(piece.value, at);
    at += piece.value.length;
  }
  clearTimeout(patience);
  if (at < part.size) throw new Error("broke-off");
  if (await digest(content) !== part.digest) throw new Error("wrong-file");
  return content;
}

async function digest(content) {
  const found = [...new Uint8Array(await crypto.subtle.digest("SHA-256", content))];
  return found.map(each => each.toString(16).padStart(2, "0")).join("");
}

// How far the parts are that somebody waits for, and what is wrong with one of them.
function tell(part, size) {
  if (part) part.here = size;
  const wanted = needed.map(name => PART[name]), sum = what => wanted.reduce((all, each) => all + (each[what] || 0), 0);
  postMessage({ loaded: sum("here"), total: sum("size"), trouble: wanted.map(each => each.trouble).find(Boolean) });
}

async function part(name, type = "application/octet-stream") {
  const stream = new Blob([await fetched(name)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, { headers: { "content-type": type } });
}

const bytes = async name => new Uint8Array(await (await part(name)).arrayBuffer());
const module = async name => import(URL.createObjectURL(await (await part(name, "text/javascript")).blob()));

const ownCache = () => caches.open(`own ${KEPT}`).catch(() => null);

async function ownBoxes() {
  const cache = await ownCache(), found = cache && await cache.match(OWN);
  return found ? found.text() : "";
}

async function keepOwn(text) {
  const cache = await ownCache();
  const keeps = cache ? await cache.put(OWN, new Response(text)).then(() => true, () => false) : false;
  if (keeps) await keepMerged(text);
  return keeps;
}

// The database made of these boxes, under a name that changes with them and with the version of the site.
async function merged(text) {
  const cache = await ownCache(), version = Object.values(PART).map(each => each.digest).join();
  return { cache, name: new URL(`own/${await digest(new TextEncoder().encode(version + text))}`, base) };
}

async function keepMerged(text) {
  const place = referee.merged(), { cache, name } = await merged(text);
  if (!cache || await cache.match(name)) return;
  for (const { url } of await cache.keys()) if (url !== OWN.url) await cache.delete(url);
  if (place) await cache.put(name, new Response(python.FS.readFile(place))).catch(() => {}); // a full phone makes it again
}

async function begin({ languages, start, remembered }) {
  const [engine, loader] = [module("engine.mjs"), module("python.mjs")];
  const [wasm, library] = [part("engine.wasm", "application/wasm"), part("library.zip")];
  // what starts Python comes first, so that on a slow network it starts while the rest is under way
  const after = Promise.all([wasm, library]).then(() => [bytes("packages.pack"), bytes("cards.sqlite")]);
  const ask = globalThis.fetch;
  globalThis.fetch = (what, options) => String(what).endsWith("pyodide.asm.wasm") ? wasm : ask(what, options);
  const libraryAt = URL.createObjectURL(await (await library).blob());
  python = await (await loader).loadPyodide({
    indexURL: base.href, stdLibURL: libraryAt, lockFileContents: LOCK,
    createPyodideModule: (await engine).default, env: { HOME: "/home/table" },
  });
  globalThis.fetch = ask;
  const [packages, cards] = await after;
  unpack(python.FS, await packages);
  python.FS.mkdirTree("/packages/thunderref/data");
  python.FS.writeFile("/packages/thunderref/data/thunderref.sqlite", await cards);
  python.runPython("import gc, sys; gc.disable(); sys.path.insert(0, '/packages')");
  const { Referee } = python.pyimport("thunderref.site.browser");
  const own = await ownBoxes(), { cache, name } = await merged(own), made = own && cache && await cache.match(name);
  if (made) python.FS.writeFile("/merged", new Uint8Array(await made.arrayBuffer()));
  referee = Referee(languages, start, remembered, own, made ? "/merged" : "");
  python.runPython("gc.enable()");
  kept = referee.kept();
  needed = [];
  postMessage({ ready: true });
  addRest().catch(error => { PART[BEHIND[0]].trouble = ["stopped", String(error)]; tell(); });
}

// What few pages need, a piece at a time between the requests; at once if one waits for it.
async function addRest() {
  const [packed, questions] = await Promise.all(BEHIND.map(fetched));
  python.FS.writeFile("/rest", new Uint8Array(packed));
  python.FS.writeFile("/questions", new Uint8Array(questions));
  const pause = time => new Promise(done => setTimeout(done, needed.length ? 0 : time));
  for (let left = 30; left && !needed.length; left -= 1) await pause(100); // the first page and the first battle come before
  for (const _ of referee.add_rest("/rest", "/questions")) await pause(busy ? 50 : 0);
  const own = await ownBoxes();
  if (own) await keepMerged(own);
  waiting.unshift(...later.splice(0));
  need([]);
  postMessage({ whole: true });
  work();
}

function need(names) {
  needed = names;
  tell();
}

function unpack(system, packed) {
  const end = packed.indexOf(10), made = new Set();
  let at = end + 1;
  for (const [name, size] of Object.entries(JSON.parse(new TextDecoder().decode(packed.subarray(0, end))))) {
    const path = "/packages/" + name, folder = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(folder)) { system.mkdirTree(folder); made.add(folder); }
    system.writeFile(path, packed.subarray(at, at + size));
    at += size;
  }
}

// Changes boxes, or loads a file with some: why that cannot be; null if it needs what is not here yet.
async function changeOwn({ own, load, lang }) {
  const found = own ? referee.change_own(JSON.stringify(own), lang) : referee.try_load(load, lang);
  if (!found) return null;
  const [sentence, text] = found.toJs();
  found.destroy();
  return { sentence, keeps: own || text ? await keepOwn(text) : true };
}

// The answer, or null if it needs what is not here yet.
async function answer({ method, address, body }) {
  const found = await referee.answer(method, address, body);
  if (!found) return null;
  const [status, type, content, to] = found.toJs();
  found.destroy();
  return { status, type, content, to };
}

async function work() {
  if (busy || !referee) return;
  busy = true;
  while (waiting.length) {
    const asked = waiting.shift();
    let told;
    try {
      if (asked.other) { referee.load(asked.other); kept = referee.kept(); } // what another window has written
      told = asked.other ? {} : "load" in asked || asked.own ? await changeOwn(asked) : await answer(asked);
      if (!told) { later.push(asked); need(BEHIND); continue; }
      const now = referee.kept();
      if (now !== kept) told.kept = kept = now;
    } catch (error) {
      told = { failed: String(error) };
    }
    postMessage({ id: asked.id, ...told });
  }
  busy = false;
}

onmessage = async ({ data }) => {
  if (data.again) {
    for (const each of Object.values(PART)) if (each.trouble) each.again();
    return;
  }
  if (data.drop) {
    for (const list of [waiting, later]) list.splice(0, list.length, ...list.filter(each => each.id !== data.drop));
    if (referee && !later.length) need([]);
    return;
  }
  if (data.begin) {
    if (begun) return;
    begun = true;
    try { await begin(data.begin); } catch (error) { postMessage({ trouble: ["stopped", String(error)] }); return; }
  } else {
    waiting.push(data);
  }
  work();
};
