/** The colours and the font of the page, for figures that style sheets do not reach. */

export interface Theme {
  ink: string;
  faint: string;
  rule: string;
  paper: string;
  /** In the order series take them. */
  series: string[];
  /** Of cells whose difference is not established. */
  insignificant: string;
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
    series: [1, 2, 3, 4, 5, 6, 7].map((number) => value(`--series-${number}`)),
    insignificant: value("--insignificant"),
    font: style.fontFamily,
  };
}
