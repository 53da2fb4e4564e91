// Links the explorer's page in an output with the widget in the kernel: the place goes both ways, and the page gets the theme.
export default {
  initialize({ model }) {
    const name = model.get("frame");
    const pages = new Set();
    const theme = () => {
      const light = document.body.dataset.jpThemeLight;
      return light === undefined ? {} : { dark: light === "false" };
    };
    const send = (message) => pages.forEach((page) => page.postMessage({ psl: name, ...message }, "*"));
    const sendPlace = () => send({ cell: model.get("cell"), row: model.get("row") });
    const take = ({ data, source }) => {
      if (data?.psl !== name) return;
      if (!pages.has(source)) {
        pages.add(source);
        send(theme());
        // A place that the kernel has set already is the one to show.
        if (model.get("cell") !== null) return sendPlace();
      }
      if (data.cell === undefined) return;
      if (data.cell === model.get("cell") && data.row === model.get("row")) return;
      model.set({ cell: data.cell, row: data.row });
      model.save_changes();
    };
    const themes = new MutationObserver(() => send(theme()));
    themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
    window.addEventListener("message", take);
    model.on("change:cell", sendPlace);
    model.on("change:row", sendPlace);
    // The page may be there before this model, so ask it to name itself again.
    for (const frame of document.getElementsByName(name)) frame.contentWindow.postMessage({ psl: name, hello: true }, "*");
    return () => {
      window.removeEventListener("message", take);
      themes.disconnect();
    };
  },
};
