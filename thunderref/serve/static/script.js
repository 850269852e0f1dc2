// Counts taps at once and fetches the page that they lead to; the server draws every page. Without this script the same
// forms and links work by themselves.
"use strict";
(() => {
  const IGNORE = 350; // ms after a change of part: taps were meant for the page before
  const SLOW = 100; // ms after which a page that is long in coming is waited for in sight
  const AGAIN = 2000; // ms until a lost connection is tried again
  const HOLE = "_"; // a rank whose card was taken out
  // How the referee is reached; a page that carries its own brings another way.
  const way = window.way || {
    ask: (address, options) => fetch(address, { credentials: "same-origin", ...options }),
    of: href => new URL(href), // what an address of this page means to the referee
    shown: address => address, // and the other way round
    leads: link => link.origin === location.origin && !link.hash,
    drawn: () => {},
    follow: told => { new EventSource("/events").onmessage = event => told(event.data); },
  };
  const here = () => way.of(location.href).href;
  let last = null; // the request under way
  let wanted = null; // the address that the taps lead to
  let quietUntil = 0;
  let sending = null; // the request under way that changes something: a second tap waits for its answer

  const form = () => document.getElementById("taps");
  const listOf = f => {
    if (f.dataset.list !== "p") return [f.elements.namedItem(f.dataset.list), ""];
    const fields = [...f.querySelectorAll("input[name=p]")];
    const field = fields[Number(f.dataset.at)];
    return [field, field ? field.value.slice(0, field.value.indexOf(":") + 1) : ""];
  };

  function part() {
    const f = form();
    const step = document.querySelector(".steps [aria-current]");
    return (f ? f.dataset.list + (f.dataset.at || "") : "") + "|" + (way.of(step ? step.href : location.href).pathname);
  }

  // What stands above the page until it is drawn: a sentence and what to do about it; none takes it away.
  function notice(kind, sentence, label, act) {
    const box = document.getElementById("lost");
    if (!box) return;
    box.hidden = !sentence;
    box.className = "lost " + kind;
    box.setAttribute("role", kind ? "status" : "alert");
    if (box.firstChild && box.firstChild.data === sentence + " ") return; // what is read aloud stays
    box.textContent = "";
    if (!sentence) return;
    const button = document.createElement("button");
    button.textContent = label;
    button.className = "plain";
    button.onclick = act;
    box.append(sentence + " ", button);
  }

  function lost() { notice("", document.body.dataset.lost, document.body.dataset.again, () => go(wanted || here(), "tap")); }

  function works(sentence) { notice("works", sentence, document.body.dataset.stop, stop); }

  // The page stays as it is; what was tapped in it stays too, and its forward button leads on from there.
  function stop() {
    last.abort();
    last = wanted = null;
    notice("", "");
    document.body.classList.remove("waiting");
  }

  // how: a tap in the page, a "step" to another, or "back" in what was seen; body: what is sent, if it changes something
  async function go(address, how, body, place) {
    if (last) last.abort();
    const mine = last = new AbortController(), tapped = performance.now();
    wanted = address;
    sending = body ? mine : null;
    if (place) works(place);
    else if (document.querySelector(".works")) notice("", "");
    const slow = setTimeout(() => {
      document.body.classList.add("waiting");
      if (!document.querySelector(".lost:not(.works, [hidden])")) works(place || document.body.dataset.works);
      const forward = document.querySelector(".forward");
      if (forward && how === "tap") Object.assign(forward, { textContent: "…", href: way.shown(address) });
    }, SLOW);
    try {
      const answer = await way.ask(address, { signal: mine.signal, ...(body && { method: "POST", body }) });
      if (answer.status === 503) {
        const seconds = Number(answer.headers.get("Retry-After")) || 1;
        setTimeout(() => mine === last && go(address, how, body), seconds * 1000);
        return;
      }
      const text = await answer.text();
      if (mine !== last) return;
      if (answer.status === 202) { // waits for its turn: the page says its place
        const page = new DOMParser().parseFromString(text, "text/html");
        setTimeout(() => mine === last && go(address, how, body, page.querySelector("main .ability").textContent));
        return;
      }
      if (!(answer.headers.get("Content-Type") || "").startsWith("text/html")) { location = way.shown(address); return; }
      last = wanted = null;
      notice("", "");
      show(new DOMParser().parseFromString(text, "text/html"), body && answer.status === 422 ? here() : answer.url, how, tapped);
      if (body) quietUntil = performance.now() + IGNORE; // the table is another than when the finger fell
    } catch (error) {
      if (error.name !== "AbortError" && mine === last) {
        if (body) wanted = null; // perhaps it has arrived: whoever sent it looks and sends it again
        lost();
        setTimeout(() => mine === last && go(wanted || here(), how), AGAIN);
      }
    } finally {
      clearTimeout(slow);
      if (sending === mine) sending = null;
    }
  }

  function show(page, address, how, tapped) {
    const focused = document.activeElement && document.activeElement.id;
    const open = [...document.querySelectorAll("details[id].group[open]")].map(each => each.id);
    const problem = () => (document.querySelector(".fault, .unclear") || {}).textContent;
    const heading = () => (document.querySelector("h1") || {}).textContent;
    const before = part(), complained = problem(), headed = heading();
    const top = scrollY;
    document.documentElement.className = page.documentElement.className;
    document.documentElement.lang = page.documentElement.lang;
    document.title = page.title;
    document.body.className = "";
    document.body.dataset.mark = page.body.dataset.mark || "";
    const calls = page.body.dataset.turn || "";
    if (calls && !document.body.dataset.turn && how === "live" && navigator.vibrate) navigator.vibrate(200);
    document.body.dataset.turn = calls;
    for (const child of [...document.body.children]) if (!child.matches("#status, #note")) child.remove();
    const status = document.getElementById("status");
    const heard = page.getElementById("status");
    const all = [...page.body.children];
    let after = false;
    for (const child of all) {
      if (child === heard) { after = true; continue; }
      if (after) document.body.append(document.adoptNode(child));
      else document.body.insertBefore(document.adoptNode(child), status);
    }
    if (heard && status) status.textContent = heard.textContent;
    bringStep();
    way.drawn();
    follow();
    const changed = part() !== before;
    if (how === "back") {
      scrollTo(0, (history.state || {}).top || 0);
    } else if (changed || how === "step") {
      history.replaceState({ top }, "");
      history.pushState(null, "", way.shown(address));
      if (how === "tap") quietUntil = performance.now() + IGNORE;
      else if (changed || heading() !== headed) quietUntil = tapped + IGNORE; // the second tap of two was meant for before
      scrollTo(0, 0);
      const first = document.querySelector(".target[open] > summary") || document.getElementById("main");
      if (first) first.focus({ preventScroll: true });
    } else {
      history.replaceState(null, "", way.shown(address));
      for (const id of open) { const each = document.getElementById(id); if (each) each.open = true; }
      scrollTo(0, top);
      const again = focused && document.getElementById(focused);
      if (again) again.focus({ preventScroll: true });
    }
    if (problem() !== complained && problem()) document.querySelector(".fault, .unclear").scrollIntoView({ block: "center" });
  }

  // Of more steps than fit beside the title, or tabs in large letters, the one that shows.
  function bringStep() {
    for (const now of document.querySelectorAll(":is(.steps, .tabs) [aria-current]")) {
      const row = now.parentElement;
      row.scrollLeft = now.offsetLeft - row.offsetLeft - row.clientWidth / 3;
    }
  }

  function changed(f, button) {
    const [field, name] = listOf(f);
    const most = Number(f.dataset.most);
    const cards = field && field.value.length > name.length ? field.value.slice(name.length).split(",") : [];
    const value = button.value.split(","), hole = cards.indexOf(HOLE);
    if (button.name === "undo") cards.pop();
    else if (button.name === "drop" && f.dataset.list === "hall") cards[Number(button.value)] = HOLE;
    else if (button.name === "drop") { const at = cards.lastIndexOf(button.value); if (at >= 0) cards.splice(at, 1); }
    else if (button.name === "add" && hole >= 0) cards[hole] = value[0];
    else if (button.name === "add") cards.push(...value.slice(0, Math.max(0, most - cards.length)));
    else return null;
    while (cards[cards.length - 1] === HOLE) cards.pop();
    return [field, name, cards];
  }

  function badge(button, n) {
    const old = button.querySelector(".count");
    if (old) old.remove();
    if (!n) return;
    const count = document.createElement("b");
    count.className = "count";
    count.textContent = n;
    button.append(count);
  }

  // The cards under the tiles and their number, at once: the page may be long in coming.
  function tell(f, cards) {
    const step = document.querySelector(".steps [aria-current] b"), row = f.querySelector(".chips");
    if (f.dataset.list === "hall") { if (step) step.textContent = cards.filter(each => each !== HOLE).length + "/3"; return; }
    if (step && f.dataset.list === "hand") step.textContent = cards.length;
    const named = new Map([...f.querySelectorAll("[data-name]")].map(each => [each.value, each.dataset.name]));
    row.replaceChildren(...[...new Set(cards)].reverse().map(id => {
      const chip = document.createElement("button"), n = cards.filter(each => each === id).length;
      Object.assign(chip, { className: "chip", name: "drop", value: id });
      chip.dataset.name = named.get(id) || id;
      chip.textContent = (n > 1 ? n + "× " : "") + chip.dataset.name + " ×";
      return chip;
    }));
    f.querySelector(".undo").disabled = !cards.length;
  }

  function addressOf(f) {
    const query = new URLSearchParams();
    for (const field of f.querySelectorAll("input[type=hidden]")) {
      if (field.name !== "to" && field.value) query.append(field.name, field.value);
    }
    return f.action.split("?")[0] + "?" + query.toString().replace(/%2C/g, ",").replace(/%3A/g, ":");
  }

  document.addEventListener("submit", event => {
    const f = event.target, button = event.submitter;
    if (!button || f.getAttribute("action").includes("#")) return; // to a place in the page: the browser does it
    const acts = f.method === "post" || f.id === "marks";
    if ((acts || f.id === "taps") && (sending || performance.now() < quietUntil)) { event.preventDefault(); return; }
    if (acts) quietUntil = performance.now() + IGNORE; // a double tap acts once
    if (f.id === "taps" && button.name !== "go") {
      let field = f.elements.namedItem(f.dataset.list);
      if (!field && f.dataset.list !== "p") {
        field = document.createElement("input");
        field.type = "hidden";
        field.name = f.dataset.list;
        f.prepend(field);
      }
      const now = changed(f, button);
      if (!now || !now[0]) return;
      event.preventDefault();
      const before = now[0].value.slice(now[1].length);
      now[0].value = now[1] + now[2].join(",");
      const id = button.value;
      const tile = document.getElementById("tile-" + id);
      if (tile) badge(tile, now[2].filter(each => each === id).length);
      tell(f, now[2]);
      const pane = f.elements.namedItem("pane");
      const full = now[2].length === Number(f.dataset.full) && !now[2].includes(HOLE) && button.name === "add";
      const isFull = f.dataset.list === "hall" && full;
      if (full && (isFull || !pane || !pane.value)) quietUntil = performance.now() + IGNORE; // the page leads on
      if (pane && (isFull || (pane.value === "hand" && !before))) pane.value = "";
      const share = document.querySelector("#share.auto form");
      if (isFull && share) {
        const told = new URLSearchParams(new FormData(share));
        told.set("hall", now[2].join(","));
        go(share.action, "tap", told);
        return;
      }
      go(addressOf(f), "tap");
      return;
    }
    const query = new URLSearchParams(new FormData(f, button));
    event.preventDefault();
    if (f.method === "post") { go(f.action, "step", query); return; }
    if (f.className === "stay") { // what was tapped stays in the form, so that the next tap does not lose it
      const kept = document.createElement("input");
      Object.assign(kept, { type: "hidden", name: button.name, value: button.value });
      f.append(kept);
    }
    go(f.action.split("?")[0] + "?" + query, f.id === "taps" || f.className === "stay" ? "tap" : "step");
  });

  document.addEventListener("click", event => {
    const link = event.target.closest("a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    if (!way.leads(link) || link.closest(".switches, .skip, .late")) return;
    event.preventDefault();
    if (performance.now() < quietUntil && link.closest("main, .bar")) return;
    go(way.of(link.href).href, "step");
  });

  const plain = text => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/ł/g, "l");

  // The names that go on as it is typed, in whatever letters: those of the table stand first in the list.
  function suggest(field) {
    const typed = plain(field.value.trim()), near = document.getElementById("near");
    const fits = name => plain(name).split(/[ -]/).some((_, i, words) => words.slice(i).join(" ").startsWith(typed));
    const names = [...document.querySelectorAll("#names option")].map(each => each.value);
    near.replaceChildren(...(typed ? names.filter(fits).slice(0, 6) : []).map(name => {
      const link = document.createElement("a");
      link.className = "tile";
      link.href = way.shown("/card?q=" + encodeURIComponent(name));
      link.textContent = name;
      return link;
    }));
  }

  document.addEventListener("input", event => {
    if (event.target.id !== "q") return;
    event.target.removeAttribute("list");
    suggest(event.target);
  });

  bringStep();
  // The page, fetched again because something changed elsewhere; not under typing fingers.
  way.refresh = () => {
    const typing = document.activeElement && document.activeElement.matches("input, textarea");
    if (!wanted && !typing) go(here(), "live");
  };
  // The table of the evening, live.
  let follows = false;
  function follow() {
    if (follows || !document.body.dataset.mark || !window.EventSource) return;
    follows = true;
    way.follow(now => document.body.dataset.mark && now !== document.body.dataset.mark && way.refresh());
  }
  follow();
  way.drawn();

  history.scrollRestoration = "manual";
  addEventListener("popstate", () => go(here(), "back"));
  addEventListener("online", () => wanted && go(wanted, "tap"));
  document.addEventListener("visibilitychange", () => !document.hidden && wanted && go(wanted, "tap"));
})();
