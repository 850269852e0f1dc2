// Keeps the files of this site, each by its digest, so that it opens without network. It answers nothing by itself.
"use strict";
const LIST = FILES;
const base = new URL("./", self.location);
const KEPT = `thunderref ${base.pathname}`; // other folders of this host have their own
const at = name => new URL(name === "index.html" ? "./" : name, base).href;

async function keep(cache, name, digest) {
  const lasting = name.startsWith("static/"), had = await cache.match(at(name));
  if (lasting && had) return; // its name holds its digest
  const answer = await fetch(at(name), { cache: "no-cache" });
  if (!answer.ok) throw new Error(name);
  const content = await answer.arrayBuffer();
  const found = [...new Uint8Array(await crypto.subtle.digest("SHA-256", content))];
  if (found.map(each => each.toString(16).padStart(2, "0")).join("") !== digest) throw new Error(name);
  const headers = { "content-type": answer.headers.get("content-type") || "application/octet-stream" };
  await cache.put(lasting ? at(name) : new URL(`next/${digest}/${name}`, base).href, new Response(content, { headers }));
}

self.addEventListener("install", event => event.waitUntil((async () => {
  const cache = await caches.open(KEPT);
  for (const [name, digest] of Object.entries(LIST)) await keep(cache, name, digest);
})()));

// What has no digest in its name takes its place only now, so that no page is of two versions.
self.addEventListener("activate", event => event.waitUntil((async () => {
  const cache = await caches.open(KEPT), stays = new Set(Object.keys(LIST).map(at));
  for (const [name, digest] of Object.entries(LIST)) {
    const next = new URL(`next/${digest}/${name}`, base).href, found = await cache.match(next);
    if (found) { await cache.put(at(name), found); await cache.delete(next); }
  }
  for (const request of await cache.keys()) if (!stays.has(request.url)) await cache.delete(request);
  await self.clients.claim();
})()));

self.addEventListener("message", event => event.data === "use" && self.skipWaiting());

self.addEventListener("fetch", event => {
  if (event.request.method !== "GET" || !event.request.url.startsWith(base.href)) return;
  const url = event.request.url.split(/[#?]/)[0];
  const wanted = url === at("index.html") || url === base.href + "index.html" ? at("index.html") : url;
  event.respondWith(caches.open(KEPT).then(cache => cache.match(wanted)).then(found => found || fetch(event.request)));
});
