/** How often an answer has met itself, or was cut off: what was computed on such a way is not the whole one, and is not kept. */

/** Of expressions for one question, before answers that are not whole are kept. */
const most = 20_000;

export class Circles {
  count = 0;
  /** Expressions looked at for the question that was asked first. */
  private spent = 0;

  /** A question that does not follow from another. */
  begin(): void {
    this.spent = 0;
  }

  look(): void {
    this.spent++;
  }

  /**
   * An answer is not the whole one. In a tangle of circles nothing would be kept, and each question be answered
   * anew for each that leads to it: past so many, what was found is taken as it is.
   */
  cut(): void {
    if (this.spent <= most) this.count++;
  }
}
