// The page in the browser that carries its own referee: addresses stand behind “#”, a worker answers them.
"use strict";
(() => {
  const STORE = "thunderref", PAGE = "thunderref.page"; // what is remembered, the page seen last
  const told = name => JSON.parse(document.getElementById(name).textContent);
  const words = told("words"), first = told("first");
  const preferred = [...navigator.languages].map(each => each.slice(0, 2)).find(each => words[each]) || "en";
  const said = () => words[document.documentElement.lang] || words[preferred];
  const base = location.href.split("#")[0];
  const able = window.WebAssembly && window.Worker && window.DecompressionStream && window.caches;
  const asked = new Map();
  let last = 0, worker = null, ready = false, share = 0, fresh = null;

  document.documentElement.lang = preferred;
  document.querySelector("link[rel=manifest]").href = document.querySelector("link[rel=manifest]").dataset[preferred];
  document.getElementById("loading").textContent = said().loading;
  document.getElementById("cards").textContent = said().cards;
  document.getElementById("cards").href += "#" + preferred;

  // A browser may refuse to keep anything; then nothing is remembered.
  function kept(name) { try { return localStorage.getItem(name) || ""; } catch { return ""; } }
  function keep(name, text) { try { localStorage.setItem(name, text); } catch { /* full, or private */ } }

  function fails(why) {
    const box = document.getElementById("lost") || document.getElementById("loading");
    box.hidden = false;
    box.textContent = said().fails;
    box.title = why || "";
    const bar = document.getElementById("bar");
    if (bar) bar.hidden = true;
  }

  function start() {
    worker = new Worker(WORKER, { type: "module" });
    worker.onerror = event => fails(event.message);
    worker.onmessage = ({ data }) => {
      const bar = document.getElementById("bar");
      if (data.broken) fails(data.broken);
      else if (data.total) { share = data.loaded / data.total; if (bar) bar.value = share; }
      else if (data.ready) { ready = true; if (!asked.size) draw(); }
      else if (data.whole) keepFiles(); // not before: a file is fetched once
      else {
        if (data.kept !== undefined) keep(STORE, data.kept);
        const wants = asked.get(data.id);
        asked.delete(data.id);
        if (wants) wants(data);
      }
    };
    worker.postMessage({ begin: { languages: navigator.languages.join(","), start: base + "#", remembered: kept(STORE) } });
  }

  const draw = () => dispatchEvent(new PopStateEvent("popstate"));

  // The answer of the worker; a request that is given up before its turn is never made.
  function send(what, signal) {
    const id = ++last;
    return new Promise((wants, no) => {
      asked.set(id, wants);
      worker.postMessage({ id, ...what });
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
    text: async () => type.startsWith("text/html") ? mine(content) : typeof content === "string" ? content : new TextDecoder().decode(content),
    headers: { get: name => name === "Content-Type" ? type : null },
  });

  // A page as it stands in this one: links behind “#”, files beside it; above it how far the loading is, or a new version.
  function mine(text) {
    const evening = /<body[^>]* data-mark=/.test(text);
    const { loading, cards, use } = said(), lang = document.documentElement.lang;
    const note = !ready ? `<p class="version">${loading} <progress id="bar" value="${share}"></progress> <a href="glossary.html#${lang}">${cards}</a></p>`
      : fresh && !evening ? `<p class="version">${said().new} <button id="use" class="plain">${use}</button></p>` : "";
    return text.replace(/ href="\/(?!static\/)/g, ' href="#/').replace(/(src|href)="\/static\//g, '$1="static/').replace(/(<main\b)/, note + "$1");
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
      for (const image of document.querySelectorAll('img[src^="/"]')) {
        const from = image.getAttribute("src");
        image.removeAttribute("src");
        ask(from).then(found => { image.src = URL.createObjectURL(new Blob([found.content], { type: "image/svg+xml" })); });
      }
      for (const link of document.querySelectorAll("a[data-save]")) {
        link.href = URL.createObjectURL(new Blob([link.dataset.save], { type: "application/json" }));
      }
    },
  };

  document.addEventListener("click", event => {
    if (event.target.id === "use") { fresh.postMessage("use"); return; }
    const link = event.target.closest('a[href^="#"]');
    if (!link || link.getAttribute("href").startsWith("#/")) return;
    event.preventDefault(); // a place in the page; behind “#” stands the address
    const place = document.getElementById(link.hash.slice(1));
    if (place) { place.scrollIntoView(); place.focus({ preventScroll: true }); }
  });

  document.addEventListener("change", async event => {
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
    if (event.key !== STORE || !event.newValue || !ready) return;
    await send({ load: event.newValue, lang: "en" });
    draw();
  });

  async function keepFiles() {
    if (!navigator.serviceWorker) return;
    const running = await navigator.serviceWorker.register("keep.js", { updateViaCache: "none" }).catch(() => null);
    if (!running) return;
    const note = () => { if (running.waiting && navigator.serviceWorker.controller) fresh = running.waiting; };
    const watch = () => running.installing && running.installing.addEventListener("statechange", note);
    note();
    watch(); // the browser looks for a new version by itself, too
    running.addEventListener("updatefound", watch);
    navigator.serviceWorker.addEventListener("controllerchange", () => fresh && location.reload());
  }

  if (!able) { fails(); return; }
  start();
  addEventListener("DOMContentLoaded", () => setTimeout(draw));
})();
