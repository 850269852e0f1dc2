// Holds Python and the referee. Requests come one at a time; one that nobody waits for any more is left out.
const PART = PARTS;
const KEPT = "thunderref"; // the cache that the service worker fills, too
const LOCK = ENGINE; // the engine asks for no package of its own
const base = new URL("..", import.meta.url);
const waiting = [];
let referee = null, begun = false, busy = false, urgent = false, rest = null, python = null, loaded = 0, kept = "";

const first = ["engine.wasm", "library.zip", "packages.pack", "cards.sqlite", "engine.mjs", "python.mjs"];
const total = first.reduce((sum, name) => sum + PART[name].size, 0);

async function fetched(name) {
  const { file, size, digest } = PART[name], url = new URL(file, base);
  const cache = await caches.open(KEPT).catch(() => null);
  const had = cache && await cache.match(url);
  if (had) { tell(size); return had.arrayBuffer(); }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  const content = new Uint8Array(size), reader = answer.body.getReader();
  let at = 0;
  for (let part; !(part = await reader.read()).done; at += part.value.length) {
    if (at + part.value.length > size) throw new Error(`${file}: another file`);
    content.set(part.value, at);
    tell(part.value.length);
  }
  const found = [...new Uint8Array(await crypto.subtle.digest("SHA-256", content))];
  if (found.map(each => each.toString(16).padStart(2, "0")).join("") !== digest) throw new Error(`${file}: another file`);
  if (cache) await cache.put(url, new Response(content)).catch(() => {}); // a full phone asks again next time
  return content.buffer;
}

function tell(size) {
  loaded += size;
  if (!referee) postMessage({ loaded: Math.min(loaded, total), total });
}

async function part(name, type = "application/octet-stream") {
  const stream = new Blob([await fetched(name)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, { headers: { "content-type": type } });
}

const bytes = async name => new Uint8Array(await (await part(name)).arrayBuffer());
const module = async name => import(URL.createObjectURL(await (await part(name, "text/javascript")).blob()));

async function begin({ languages, start, remembered }) {
  const [engine, loader] = [module("engine.mjs"), module("python.mjs")];
  const [wasm, library] = [part("engine.wasm", "application/wasm"), part("library.zip")];
  // what starts Python comes first, so that on a slow network it starts while the rest is under way
  const later = Promise.all([wasm, library]).then(() => [bytes("packages.pack"), bytes("cards.sqlite")]);
  const ask = globalThis.fetch;
  globalThis.fetch = (what, options) => String(what).endsWith("pyodide.asm.wasm") ? wasm : ask(what, options);
  const libraryAt = URL.createObjectURL(await (await library).blob());
  python = await (await loader).loadPyodide({
    indexURL: base.href, stdLibURL: libraryAt, lockFileContents: LOCK,
    createPyodideModule: (await engine).default, env: { HOME: "/home/table" },
  });
  globalThis.fetch = ask;
  const [packages, cards] = await later;
  unpack(python.FS, await packages);
  python.FS.mkdirTree("/packages/thunderref/data");
  python.FS.writeFile("/packages/thunderref/data/thunderref.sqlite", await cards);
  python.runPython("import gc, sys; gc.disable(); sys.path.insert(0, '/packages')");
  const { Referee } = python.pyimport("thunderref.site.browser");
  referee = Referee(languages, start, remembered);
  python.runPython("gc.enable()");
  kept = remembered;
  postMessage({ ready: true });
  addRest().catch(() => {}); // who needs it tries again
}

// What few pages need, a piece at a time between the requests; at once if one waits for it.
function addRest() {
  rest ??= (async () => {
    const [packed, questions] = await Promise.all([fetched("rest.pack"), fetched("questions.sqlite")]);
    python.FS.writeFile("/rest", new Uint8Array(packed));
    python.FS.writeFile("/questions", new Uint8Array(questions));
    for (const _ of referee.add_rest("/rest", "/questions")) await new Promise(done => setTimeout(done, busy && !urgent ? 50 : 0));
    postMessage({ whole: true });
  })().catch(error => { rest = null; throw error; });
  return rest;
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

async function answer({ method, address, body }) {
  let found = await referee.answer(method, address, body);
  if (!found) {
    urgent = true;
    await addRest();
    found = await referee.answer(method, address, body);
  }
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
      told = asked.load === undefined ? await answer(asked) : { sentence: referee.try_load(asked.load, asked.lang) };
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
  if (data.drop) {
    const at = waiting.findIndex(each => each.id === data.drop);
    if (at >= 0) waiting.splice(at, 1);
    return;
  }
  if (data.begin) {
    if (begun) return;
    begun = true;
    try { await begin(data.begin); } catch (error) { postMessage({ broken: String(error) }); return; }
  } else {
    waiting.push(data);
  }
  work();
};
