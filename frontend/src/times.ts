/** Shows every <time> in the reader's zone and keeps UTC in its title. */

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export function localizeTimes(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLTimeElement>("time[datetime]")) {
    if (!element.dateTime.includes("T")) continue; // a day or a year, the same in every zone
    const time = new Date(element.dateTime);
    if (Number.isNaN(time.getTime())) continue;
    element.title = utcText(time);
    element.textContent = localText(time, element.dataset.dateOnly !== undefined);
  }
}

/** "20 Nov 2026 15:02", or "20 Nov 2026", in the zone of the browser: the server's form of dates, in another zone. */
export function localText(time: Date, dateOnly: boolean): string {
  const date = `${time.getDate()} ${MONTHS[time.getMonth()] ?? ""} ${time.getFullYear()}`;
  return dateOnly ? date : `${date} ${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
}

/** "2026-11-20 14:02:11 UTC" */
export function utcText(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
