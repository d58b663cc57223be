/** The colours and the font of the page, for figures that style sheets do not reach. */

export interface Theme {
  ink: string;
  faint: string;
  rule: string;
  paper: string;
  series: string;
  font: string;
}

export function readTheme(document: Document): Theme {
  const style = getComputedStyle(document.body);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: value("--bs-body-color"),
    faint: value("--bs-secondary-color"),
    rule: value("--bs-border-color"),
    paper: value("--bs-body-bg"),
    series: value("--series-1"),
    font: style.fontFamily,
  };
}
