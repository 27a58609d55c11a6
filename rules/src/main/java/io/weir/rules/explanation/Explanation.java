package io.weir.rules.explanation;

import java.util.List;

/**
 * What limits a request, and why.
 *
 * @param caller who it is and how that was found: {@code user alice}, {@code key sha256:…}, {@code
 *     nobody, by address}
 * @param tier the tier and where it comes from: {@code premium (user_tiers)}
 * @param parts each policy that could hold, those that do first
 */
public record Explanation(String caller, String tier, List<Part> parts) {
  /**
   * One policy or rule.
   *
   * @param policy its name
   * @param holds whether it decides the request
   * @param limit permits per window that hold for the caller; 0 if it doesn't hold
   * @param window the window as it is written
   * @param source where the limit comes from: {@code annotation}, {@code settings}, {@code rule
   *     17}, {@code own limit}, {@code switch}
   * @param reason why it holds, or why not, as a sentence
   */
  public record Part(
      String policy, boolean holds, long limit, String window, String source, String reason) {}

  /**
   * Takes the parts as they are.
   *
   * @param caller see the record
   * @param tier see the record
   * @param parts see the record
   */
  public Explanation {
    parts = List.copyOf(parts);
  }

  /**
   * The tier alone.
   *
   * @return {@link #tier()} without where it comes from
   */
  public String tierName() {
    int end = tier.lastIndexOf(" (");
    return end < 0 ? tier : tier.substring(0, end);
  }
}
