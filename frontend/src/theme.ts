/** The page's colours and font, for figures that style sheets cannot style. */

export interface Theme {
  ink: string;
  faint: string;
  rule: string;
  paper: string;
  /** Colours of the series, in order. */
  series: string[];
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
    font: style.fontFamily,
  };
}
