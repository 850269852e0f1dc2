// The page in the browser that carries its own referee: addresses stand behind “#”, a worker answers them.
"use strict";
(() => {
  const told = name => JSON.parse(document.getElementById(name).textContent);
  const words = told("words"), first = told("first");
  const preferred = [...navigator.languages].map(each => each.split("-")[0].toLowerCase()).find(each => words[each]) || document.documentElement.lang;
  const said = () => words[document.documentElement.lang] || words[preferred];
  const base = location.href.split("#")[0];
  const STORE = `thunderref ${new URL("./", base).pathname}`, PAGE = `${STORE} page`; // what is remembered, the page seen last
  const able = window.WebAssembly && window.Worker && window.DecompressionStream && window.caches;
  const asked = new Map(); // what the worker is to answer: the question, and who waits for it
  let last = 0, worker = null, heard = false, ready = false, fresh = null, keeps = true, persists = null;
  let under = { total: 1, loaded: 0 }; // what is loaded, and the trouble with it

  document.documentElement.lang = preferred;
  document.querySelector("link[rel=manifest]").href = document.querySelector("link[rel=manifest]").dataset[preferred];

  // A browser may refuse to keep anything, or be full.
  function kept(name) { try { return localStorage.getItem(name) || ""; } catch { return ""; } }
  function keep(name, text) { try { localStorage.setItem(name, text); return true; } catch { return false; } }

  // Below the page, which stays where it is: how far the loading is, what went wrong and what can be done, a new version.
  function tell() {
    const box = document.getElementById("note"), [trouble, detail] = under.trouble || [];
    const state = trouble || (under.total ? "loading" : fresh && !document.body.dataset.mark ? "new" : "");
    const label = state === "new" ? "use" : trouble && able ? "again" : "", lang = document.documentElement.lang;
    if (box.dataset.state !== state + lang) { // what is read aloud stays
      box.dataset.state = state + lang;
      box.hidden = !state;
      box.innerHTML = state && `<span></span>${state === "loading" ? ' <progress id="bar"></progress>' : ""}`
        + `${label && ` <button id="${label}" class="plain">${said()[label]}</button>`}`
        + `${state === "new" ? "" : ` <a href="glossary.html#${lang}">${said().cards}</a>`}`;
      if (state) box.firstChild.textContent = said()[state] + (detail ? ` (${detail})` : "");
    }
    if (state === "loading") document.getElementById("bar").value = under.loaded / under.total;
  }

  function again() {
    if (!heard) start();
    else if (under.trouble[0] === "broke-off") worker.postMessage({ again: true });
    else location.reload(); // which asks the host what belongs together
  }

  function start() {
    under = { total: 1, loaded: 0 };
    worker = new Worker(WORKER, { type: "module" });
    worker.onerror = ({ message }) => { under.trouble = message ? ["stopped", message] : ["broke-off"]; tell(); };
    worker.onmessage = ({ data }) => {
      heard = true;
      if (data.ready) { ready = true; way.refresh(); }
      else if (data.whole) {
        keepFiles(); // not before: a file is fetched once
        if (document.getElementById("own") && !asked.size) way.refresh(); // the boxes of the program have come
      }
      else if (data.id) {
        if (data.kept !== undefined) remember(data.kept);
        if (asked.has(data.id)) asked.get(data.id).wants(data);
        asked.delete(data.id);
      } else under = { ...under, ...data };
      tell();
    };
    worker.postMessage({ begin: { languages: navigator.languages.join(","), start: base + "#", remembered: kept(STORE) } });
    for (const { what } of asked.values()) worker.postMessage(what);
    tell();
  }

  function remember(text) {
    keeps = keep(STORE, text);
    persists ??= navigator.storage?.persist?.().catch(() => {}); // or the browser may clear it away
  }

  const draw = () => dispatchEvent(new PopStateEvent("popstate"));

  // The answer of the worker; a request that is given up before its turn is never made.
  function send(what, signal) {
    const id = what.id = ++last;
    return new Promise((wants, no) => {
      asked.set(id, { what, wants });
      worker.postMessage(what);
      if (signal) signal.addEventListener("abort", () => {
        asked.delete(id);
        worker.postMessage({ drop: id });
        no(new DOMException("", "AbortError"));
      });
    });
  }

  const local = address => { const url = new URL(address, location.origin); return url.pathname + url.search; };

  // Until the referee is there: the page seen last, or the first one of all.
  function early(address) {
    if (ready) return null;
    const seen = kept(PAGE), at = seen.indexOf("\n");
    if (seen) return seen.slice(0, at) === address ? seen.slice(at + 1) : null;
    return address === "/" ? first[preferred] : null;
  }

  async function ask(address, { method = "GET", body = "", signal } = {}) {
    const asks = local(address), text = method === "GET" && early(asks);
    if (text) return answer(200, "text/html", text, asks);
    const { status, type, content, to, failed } = await send({ method, address: asks, body: String(body) }, signal);
    if (failed) throw new Error(failed);
    const found = type.startsWith("image/") ? content : new TextDecoder().decode(content);
    if (status === 200 && type.startsWith("text/html")) keep(PAGE, to + "\n" + found);
    return answer(status, type, found, to);
  }

  const answer = (status, type, content, to) => ({
    status, content, url: new URL(to, location.origin).href,
    text: async () => type.startsWith("text/html") ? mine(content, to) : typeof content === "string" ? content : new TextDecoder().decode(content),
    headers: { get: name => name === "Content-Type" ? type : null },
  });

  // A page as it stands in this one: links behind “#”, files beside it; the first one says if nothing is remembered.
  function mine(text, to) {
    const note = !keeps && /^\/(phone)?(\?|$)/.test(to) ? `<p class="sentence">${said().forgets}</p>` : "";
    return text.replace(/ href="\/(?!static\/)/g, ' href="#/').replace(/ src="\/(?!static\/)/g, ' data-from="/').replace(/(src|href)="\/static\//g, '$1="static/').replace(/<main\b[^>]*>/, "$&" + note);
  }

  // Pictures that are in sight: what draws them is among what comes last.
  function drawPictures() {
    for (const image of ready ? document.querySelectorAll("img[data-from]") : []) {
      if (image.closest("details:not([open])")) continue;
      ask(image.dataset.from).then(found => { image.src = URL.createObjectURL(new Blob([found.content], { type: "image/svg+xml" })); });
      delete image.dataset.from;
    }
  }

  window.way = {
    ask,
    of: href => {
      const url = new URL(href, base);
      if (url.hash.startsWith("#/")) return new URL(url.hash.slice(1), location.origin);
      return url.href.split("#")[0] === base ? new URL("/", location.origin) : url;
    },
    shown: address => "#" + local(address),
    leads: link => link.getAttribute("href").startsWith("#/"),
    follow: () => {},
    drawn: () => {
      tell();
      drawPictures();
      for (const link of document.querySelectorAll("a[data-save]")) {
        link.href = URL.createObjectURL(new Blob([link.dataset.save], { type: "application/json" }));
      }
    },
  };

  document.addEventListener("click", event => {
    if (event.target.id === "use") { fresh.postMessage("use"); return; }
    if (event.target.id === "again") { again(); return; }
    const box = event.target.closest("button[data-box]");
    if (box) { changeOwn({ name: box.dataset.box, do: box.dataset.do }); return; }
    const link = event.target.closest('a[href^="#"]');
    if (!link || link.getAttribute("href").startsWith("#/")) return;
    event.preventDefault(); // a place in the page; behind “#” stands the address
    const place = document.getElementById(link.hash.slice(1));
    if (place) { place.scrollIntoView(); place.focus({ preventScroll: true }); }
  });

  // Loads, switches or removes boxes; the page says why not, or shows them as they are now.
  async function changeOwn(own) {
    const { sentence, keeps: stays, failed } = await send({ own, lang: document.documentElement.lang });
    const box = document.getElementById("lost");
    if (failed || sentence) { box.hidden = false; box.textContent = failed || sentence; return; }
    keeps = keeps && stays;
    document.activeElement.blur(); // else the page counts as being typed in, and stays as it is
    way.refresh();
  }

  document.addEventListener("toggle", drawPictures, true);
  document.addEventListener("change", async event => {
    if (event.target.id === "own" && event.target.files.length) {
      const texts = await Promise.all([...event.target.files].map(async file => [file.name, await file.text()]));
      event.target.value = "";
      changeOwn({ files: Object.fromEntries(texts) });
    }
    if (event.target.id !== "load" || !event.target.files.length) return;
    const sure = event.target.dataset.sure;
    if (sure && !confirm(sure)) { event.target.value = ""; return; }
    const { sentence } = await send({ load: await event.target.files[0].text(), lang: document.documentElement.lang });
    const box = document.getElementById("lost");
    if (sentence) { box.hidden = false; box.textContent = sentence; return; }
    history.pushState(null, "", "#/");
    draw();
  });

  // Another window of this site has gone on with the evening.
  addEventListener("storage", async event => {
    if (event.key !== STORE || !event.newValue) return;
    await send({ other: event.newValue });
    way.refresh();
  });
  addEventListener("online", () => under.trouble && again());

  async function keepFiles() {
    if (!navigator.serviceWorker) return;
    const running = await navigator.serviceWorker.register("keep.js", { updateViaCache: "none" }).catch(() => null);
    if (!running) return;
    const note = () => { if (running.waiting && navigator.serviceWorker.controller) { fresh = running.waiting; tell(); } };
    const watch = () => running.installing && running.installing.addEventListener("statechange", note);
    note();
    watch(); // the browser looks for a new version by itself, too
    running.addEventListener("updatefound", watch);
    navigator.serviceWorker.addEventListener("controllerchange", () => fresh && location.reload());
  }

  keeps = keep(STORE, kept(STORE));
  if (!able) { under.trouble = ["fails"]; tell(); return; }
  start();
  addEventListener("DOMContentLoaded", () => setTimeout(draw));
})();
