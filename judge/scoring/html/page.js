"use strict";

// The table of queries and the rankings side by side. Text of the data reaches the page only
// through text nodes and attributes that hold text: `make` is the one place that builds elements.
(() => {
  const BATCH = 100; // rows that are made at a time: 10,000 at once would stall the page
  const MAX_OFFERED = 30; // queries that the search box offers
  const NO_VALUE = "n/a";
  const SAME = 1e-9; // a difference that is no greater is none
  const SVG = "http://www.w3.org/2000/svg";

  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const several = data.runs.length > 1;
  const places = data.queries.map((_, place) => place); // in the order of their ids
  const folded = (text) => text.normalize("NFKC").toLowerCase();
  const haystacks = data.queries.map(([id, text]) => folded(`${id} ${text}`));
  const state = {
    measure: 0,
    first: 0,
    second: several ? 1 : 0,
    words: [],
    column: null, // null: the order of the ids; else "query", "difference" or the place of a run
    descending: false,
    order: places,
    drawn: 0,
    reach: 0, // the greatest difference of two systems on a query
    query: 0,
  };

  // --- elements -----------------------------------------------------------------------------

  function make(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined) node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== null));
    return node;
  }

  function draw(tag, attributes, ...children) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  const foreign = (text, attributes = {}) => make("bdi", { dir: "auto", ...attributes }, text);

  // Four decimals as Python writes them: a tie, which only a multiple of 1/32 can be, goes to even.
  function fixed(value) {
    if (Number.isInteger(value * 32) && (value * 32) % 2 !== 0) {
      const below = Math.floor(value * 10000);
      return ((below % 2 === 0 ? below : below + 1) / 10000).toFixed(4);
    }
    return value.toFixed(4);
  }

  function number(value, signed = false) {
    if (value === null) return make("span", { class: "none", title: "no value" }, NO_VALUE);
    const sign = signed && value >= 0 ? "+" : "";
    const text = signed && Math.abs(value) <= SAME ? "0" : sign + fixed(value);
    return make("data", { value: String(value), title: String(value) }, text);
  }

  // --- values -------------------------------------------------------------------------------

  const scored = data.values.some((columns) => columns.some((column) => column.some((value) => value !== null)));
  const valueOf = (run, query) => data.values[run][state.measure][query];

  function minus(first, second) {
    return first === null || second === null ? null : first - second;
  }

  const difference = (query) => minus(valueOf(state.first, query), valueOf(state.second, query));

  function found(words) {
    return places.filter((query) => words.every((word) => haystacks[query].includes(word)));
  }

  const wordsOf = (text) => folded(text).split(/\s+/).filter(Boolean);

  function sorted(queries) {
    const { column, descending } = state;
    if (column === null) return queries;
    const direction = descending ? -1 : 1;
    if (column === "query") return queries.sort((a, b) => direction * (a - b));
    const key = column === "difference" ? difference : (query) => valueOf(column, query);
    return queries.sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      if (x === null || y === null) return (x === null) - (y === null); // no value is always last
      return direction * (x - y) || a - b;
    });
  }

  // --- the table of queries -----------------------------------------------------------------

  function header(column, numeric, ...content) {
    const chosen = state.column === column;
    const direction = state.descending ? "descending" : "ascending";
    const arrow = chosen ? (state.descending ? "▼" : "▲") : "↕";
    const button = make(
      "button",
      { type: "button", "data-column": column },
      ...content,
      make("span", { class: "arrow", "aria-hidden": "true" }, arrow),
    );
    button.addEventListener("click", () => {
      // The first click on numbers puts the greatest on top, the first on ids the least.
      state.descending = chosen ? !state.descending : column !== "query";
      state.column = column;
      table();
      byId("query-head").querySelector(`[data-column="${column}"]`).focus();
    });
    const attributes = { scope: "col", "aria-sort": chosen ? direction : "none" };
    return make("th", { ...attributes, class: numeric ? "number" : null }, button);
  }

  function role(run) {
    if (!several) return null;
    const parts = [];
    if (run === state.first) parts.push("A");
    if (run === state.second) parts.push("B");
    return parts.length ? make("span", { class: "role" }, parts.join(" ")) : null;
  }

  function table() {
    state.order = sorted(found(state.words));
    state.drawn = 0;
    state.reach = places.reduce((most, query) => Math.max(most, Math.abs(difference(query) ?? 0)), 0);
    const columns = [header("query", false, "Query")];
    if (several) columns.push(header("difference", true, "A − B"));
    data.runs.forEach((name, run) => columns.push(header(run, true, foreign(name, { class: "system", title: name }), role(run))));
    byId("query-head").replaceChildren(...columns);
    byId("query-rows").replaceChildren();
    byId("query-scroll").scrollTop = 0;
    more();
  }

  function more() {
    const next = state.order.slice(state.drawn, state.drawn + BATCH);
    byId("query-rows").append(...next.map(row));
    state.drawn += next.length;
    const [drawn, matching] = [state.drawn.toLocaleString("en"), state.order.length];
    const all = places.length.toLocaleString("en");
    const of = matching === places.length ? all : `${matching.toLocaleString("en")} that match, ${all} in all`;
    byId("query-count").textContent = `Showing ${drawn} of ${of}.`;
    byId("query-more").hidden = state.drawn === matching;
  }

  function row(query) {
    const [id, text] = data.queries[query];
    const words = text ? foreign(text, { class: "query" }) : null;
    const name = [words, foreign(id, { class: "id" })];
    const opener = byId("rankings") ? make("button", { type: "button", class: "open" }, ...name) : null;
    if (opener) opener.addEventListener("click", () => open(query));
    const cells = data.runs.map((_, run) => make("td", { class: "number" }, number(valueOf(run, query))));
    if (several) cells.unshift(make("td", { class: "number" }, ...apart(difference(query))));
    return make("tr", {}, make("th", { scope: "row" }, ...(opener ? [opener] : name)), ...cells);
  }

  // A difference in figures, and as a bar to the left or the right of the middle; the greatest
  // difference of all queries fills its half.
  function apart(value) {
    if (value === null) return [number(value)];
    const length = state.reach ? (50 * Math.abs(value)) / state.reach : 0;
    const bar = draw(
      "svg",
      { viewBox: "0 0 100 8", preserveAspectRatio: "none", class: "apart", "aria-hidden": "true" },
      draw("rect", { class: "track", width: 100, height: 8 }),
      draw("rect", {
        class: value < 0 ? "lost" : "won",
        x: value < 0 ? 50 - length : 50,
        width: length,
        height: 8,
      }),
      draw("path", { class: "middle", d: "M50 0V8" }),
    );
    return [number(value, true), bar];
  }

  // --- side by side -------------------------------------------------------------------------

  const grades = Object.keys(data.grades).map(Number);
  const [least, top] = [Math.min(...grades), Math.max(...grades)];

  function gradeClass(grade) {
    if (grade === null || grade < 0) return "unjudged";
    if (grade >= data.relevantFrom) return grade >= top ? "best" : "relevant";
    return grade > least ? "some" : "zero";
  }

  function badge(grade) {
    const words = data.grades[grade];
    const title = grade === null ? "unjudged" : `grade ${grade}${words ? `: ${words}` : ""}`;
    const attributes = { class: `badge ${gradeClass(grade)}`, title, role: "img", "aria-label": title };
    return make("span", attributes, grade === null ? "?" : String(grade));
  }

  const hardNegative = () => make("span", { class: "tag hard" }, "✗ hard negative");

  function legend() {
    const known = grades.sort((a, b) => b - a).map((grade) => {
      const mark = grade >= data.relevantFrom ? " ✓" : "";
      return make("li", {}, badge(grade), " ", foreign(data.grades[grade]), mark);
    });
    const unjudged = make("li", {}, badge(null), " unjudged");
    const relevant = make("li", {}, "✓ counts as relevant");
    byId("legend").replaceChildren(...known, relevant, unjudged, make("li", {}, hardNegative()));
  }

  function hit(entry, rank, side, otherRank) {
    const [place, snippet, score, grade, hard] = entry;
    const [id, title, language] = data.documents[place];
    const lang = language || null;
    // Without a title the id stands in its place.
    const heading = make("p", { class: "heading", dir: "auto", lang: title ? lang : null });
    heading.append(title || foreign(id, { class: "id" }));
    const words = data.snippets[snippet];
    const facts = make("p", { class: "facts" });
    if (grade === null) facts.append(make("span", { class: "tag" }, "unjudged"));
    if (hard) facts.append(hardNegative());
    if (title) facts.append(foreign(id, { class: "id" }));
    if (language) facts.append(make("span", {}, language));
    facts.append(make("span", {}, "score ", number(score)));
    if (several) facts.append(meeting(side, otherRank));
    return make(
      "li",
      { id: `${side}-${rank}`, class: `hit ${gradeClass(grade)}`, tabindex: -1, "data-document": place },
      make("span", { class: "rank" }, make("span", { class: "unseen" }, "rank "), String(rank)),
      badge(grade),
      make(
        "div",
        {},
        heading,
        words ? make("p", { class: "snippet", dir: "auto", lang }, words) : null,
        facts,
      ),
    );
  }

  // Where the other system has the same document.
  function meeting(side, otherRank) {
    const [other, letter] = side === "first" ? ["second", "B"] : ["first", "A"];
    if (!otherRank) return make("span", { class: "none" }, `not among the first of ${letter}`);
    return make("a", { href: `#${other}-${otherRank}` }, `rank ${otherRank} in ${letter}`);
  }

  function ranking(run, side, letter, other) {
    const entries = data.tops[run][state.query];
    const mark = several ? make("span", { class: "role" }, letter) : null;
    const title = make("h3", {}, mark, " ", foreign(data.runs[run]));
    if (!entries) return make("section", {}, title, make("p", { class: "none" }, "No ranking is kept here."));
    const ranks = new Map((other || []).map((entry, place) => [entry[0], place + 1]));
    const hits = entries.map((entry, place) => hit(entry, place + 1, side, ranks.get(entry[0])));
    const empty = hits.length ? null : make("p", { class: "none" }, "It found nothing.");
    return make("section", {}, title, empty, make("ol", {}, ...hits));
  }

  // What both systems have for this query: a column for each measure.
  function values() {
    const runs = several ? [state.first, state.second] : [state.first];
    const columns = data.measures.map((_, measure) => runs.map((run) => data.values[run][measure][state.query]));
    const line = (head, cells) =>
      make("tr", {}, make("th", { scope: "row" }, ...head), ...cells.map((cell) => make("td", { class: "number" }, cell)));
    const lines = runs.map((run, place) =>
      line([role(run), " ", foreign(data.runs[run], { class: "system" })].filter(Boolean), columns.map((column) => number(column[place]))),
    );
    if (several) lines.push(line(["A − B"], columns.map((column) => number(minus(...column), true))));
    const names = data.measures.map((name) => make("th", { scope: "col", class: "number" }, name));
    const head = make("tr", {}, make("th", { scope: "col" }, "System"), ...names);
    return make("table", {}, make("thead", {}, head), make("tbody", {}, ...lines));
  }

  function rankings() {
    const [id, text] = data.queries[state.query];
    byId("query-choice").value = id;
    const name = [text ? foreign(text, { class: "query" }) : null, " ", foreign(id, { class: "id" })];
    byId("side-query").replaceChildren(...name.filter(Boolean));
    const [first, second] = [state.first, state.second].map((run) => data.tops[run][state.query]);
    const lists = [ranking(state.first, "first", "A", second)];
    if (several) lists.push(draw("svg", { id: "links", "aria-hidden": "true" }));
    if (several) lists.push(ranking(state.second, "second", "B", first));
    byId("rankings").replaceChildren(...lists);
    byId("side-values").replaceChildren(values());
    byId("side-values").hidden = !scored;
    links();
  }

  // Curves between the places of the same document; in a narrow window there is no room for them.
  function links() {
    const svg = byId("links");
    if (!svg) return;
    svg.replaceChildren();
    const box = svg.getBoundingClientRect();
    if (!box.width) return;
    svg.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    for (const left of byId("rankings").querySelectorAll('[id^="first-"]')) {
      const place = left.dataset.document;
      const right = byId("rankings").querySelector(`[id^="second-"][data-document="${place}"]`);
      if (!right) continue;
      const [from, to] = [left, right].map((node) => {
        const edge = node.querySelector(".badge").getBoundingClientRect();
        return edge.top + edge.height / 2 - box.top;
      });
      const middle = box.width / 2;
      const d = `M0 ${from}C${middle} ${from} ${middle} ${to} ${box.width} ${to}`;
      svg.append(draw("path", { d, "data-document": place, class: gradeClassOf(left) }));
    }
  }

  const gradeClassOf = (node) => node.className.replace("hit", "").trim();

  function mark(event) {
    const node = event.target.closest ? event.target.closest("[data-document]") : null;
    const place = node ? node.dataset.document : null;
    for (const other of byId("rankings").querySelectorAll("[data-document]")) {
      other.classList.toggle("same", other.dataset.document === place);
    }
  }

  // The query on which the two systems differ most, by the first measure; the first if none does.
  function mostChanged() {
    const shown = places.filter((query) => data.tops.some((rankings) => rankings[query]));
    const most = { query: shown[0] ?? 0, apart: SAME };
    for (const query of several ? shown : []) {
      const apart = Math.abs(difference(query) ?? 0);
      if (apart > most.apart) Object.assign(most, { query, apart });
    }
    return most.query;
  }

  function open(query) {
    state.query = query;
    rankings();
    const heading = byId("side-by-side").querySelector("h2");
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    byId("side-by-side").scrollIntoView();
  }

  function step(by) {
    const order = state.order.length ? state.order : places;
    const place = order.indexOf(state.query);
    state.query = order[place < 0 ? 0 : (place + by + order.length) % order.length];
    rankings();
  }

  function offer() {
    const offered = found(wordsOf(byId("query-choice").value)).slice(0, MAX_OFFERED);
    const options = offered.map((query) => {
      const [id, text] = data.queries[query];
      return make("option", { value: id, label: text ? `${id} · ${text}` : id });
    });
    byId("query-list").replaceChildren(...options);
  }

  function choose() {
    const asked = byId("query-choice").value;
    const exact = data.queries.findIndex(([id]) => id === asked);
    const query = exact >= 0 ? exact : found(wordsOf(asked))[0];
    if (query === undefined) {
      byId("side-query").textContent = "No query has these words.";
      return;
    }
    state.query = query;
    rankings();
  }

  // --- start --------------------------------------------------------------------------------

  function systems(first, second) {
    Object.assign(state, { first, second });
    for (const where of ["query", "side"]) {
      if (!byId(`${where}-first`)) continue;
      byId(`${where}-first`).value = first;
      byId(`${where}-second`).value = second;
    }
    if (byId("query-rows")) table();
    if (byId("rankings")) rankings();
  }

  for (const where of ["query", "side"]) {
    const [first, second] = [byId(`${where}-first`), byId(`${where}-second`)];
    if (!first) continue;
    const changed = () => systems(Number(first.value), Number(second.value));
    first.addEventListener("change", changed);
    second.addEventListener("change", changed);
  }

  if (byId("query-rows")) {
    byId("query-rows").closest("[hidden]").hidden = false;
    byId("measure").addEventListener("change", (event) => {
      state.measure = Number(event.target.value);
      table();
    });
    byId("filter").addEventListener("input", (event) => {
      state.words = wordsOf(event.target.value);
      table();
    });
    byId("query-more").addEventListener("click", more);
    byId("query-scroll").addEventListener("scroll", ({ target }) => {
      const left = target.scrollHeight - target.scrollTop - target.clientHeight;
      if (left < target.clientHeight && state.drawn < state.order.length) more();
    });
  }

  if (byId("rankings")) {
    byId("rankings").closest("[hidden]").hidden = false;
    document.documentElement.classList.add("ranked");
    legend();
    byId("query-choice").addEventListener("input", offer);
    byId("query-choice").addEventListener("change", choose);
    byId("query-previous").addEventListener("click", () => step(-1));
    byId("query-next").addEventListener("click", () => step(1));
    for (const kind of ["pointerover", "focusin", "pointerleave", "focusout"]) {
      byId("rankings").addEventListener(kind, mark);
    }
    new ResizeObserver(links).observe(byId("rankings"));
    for (const button of document.querySelectorAll("button.goto")) {
      button.addEventListener("click", () => {
        const run = Number(button.dataset.run);
        systems(run, run === state.second ? state.first : state.second);
        open(Number(button.dataset.query));
      });
    }
  }

  if (scored) state.query = mostChanged();
  systems(state.first, state.second);
})();
