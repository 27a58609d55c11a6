package io.weir.internal.http;

import java.util.List;
import java.util.Locale;

/**
 * Parses {@code Accept-Language} and caches the values that callers send most.
 *
 * <p>Safe for concurrent use.
 */
final class AcceptLanguageParser {
  private static final int MAX_LENGTH = 256;
  private static final int CACHE_BITS = 7;

  private final BoundedCache<String, List<Locale.LanguageRange>> known =
      new BoundedCache<>(CACHE_BITS);

  /**
   * Returns the languages, the preferred one first; none if the field is malformed or longer than
   * 256 characters.
   */
  List<Locale.LanguageRange> parse(List<String> lines) {
    if (lines.isEmpty()) {
      return List.of();
    }
    String field = lines.size() == 1 ? lines.get(0) : String.join(",", lines);
    if (field.isBlank() || field.length() > MAX_LENGTH) {
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
