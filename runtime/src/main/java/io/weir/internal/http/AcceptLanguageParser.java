package io.weir.internal.http;

import java.util.List;
import java.util.Locale;

/**
 * Reads {@code Accept-Language}. What callers send most is remembered.
 *
 * <p>Safe for concurrent use.
 */
final class AcceptLanguageParser {
  private static final int LONGEST = 256;
  private static final int REMEMBERED_BITS = 7;

  private final BoundedCache<String, List<Locale.LanguageRange>> known =
      new BoundedCache<>(REMEMBERED_BITS);

  /** The languages of a field of some lines, the best first; none if it is malformed or long. */
  List<Locale.LanguageRange> of(List<String> lines) {
    if (lines.isEmpty()) {
      return List.of();
    }
    String field = lines.size() == 1 ? lines.get(0) : String.join(",", lines);
    if (field.isBlank() || field.length() > LONGEST) {
      return List.of();
    }
    List<Locale.LanguageRange> kept = known.find(field);
    if (kept != null) {
      return kept;
    }
    List<Locale.LanguageRange> read = parse(field);
    known.put(field, read);
    return read;
  }

  private static List<Locale.LanguageRange> parse(String field) {
    try {
      return List.copyOf(Locale.LanguageRange.parse(field));
    } catch (IllegalArgumentException malformed) {
      return List.of();
    }
  }
}
