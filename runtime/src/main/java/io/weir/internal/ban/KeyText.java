package io.weir.internal.ban;

import io.weir.Key;
import io.weir.access.AccessSubject;
import io.weir.internal.value.AddressBits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes a key as an access list shows it: {@code ip:203.0.113.7,key:sha256:…}. Two keys of one
 * policy have the same text only if they are equal: names of users have no commas, which are
 * escaped as in URLs.
 */
public final class KeyText {
  private static final String ADDRESS = "ip:";
  private static final String USER = "user";
  private static final String DIGEST_OF_ALL = "digest:";
  private static final char DIGEST = '#';
  private static final char DIGEST_OF_TUPLE = '+';
  private static final char SEPARATOR = ',';

  /** The characters of a SHA-256 in Base64. */
  private static final int DIGEST_LENGTH = 43;

  private KeyText() {}

  /** Returns the subject of a caller as one policy counts it. */
  static AccessSubject ofPolicy(String policy, Key key) {
    return AccessSubject.ofPolicy(policy, of(key));
  }

  /** Returns the subject of a caller for the whole application. */
  static AccessSubject ofApplication(Key key) {
    String text = of(key);
    boolean isBlank = text.substring(text.indexOf(':') + 1).isBlank();
    boolean isPlain = text.indexOf(SEPARATOR) < 0 && text.indexOf('%') < 0 && !isBlank;
    return isPlain && (text.startsWith(ADDRESS) || text.startsWith(USER + ":"))
        ? AccessSubject.parse(text)
        : AccessSubject.ofPolicy(AccessSubject.ANY_POLICY, text);
  }

  /** Writes a key. */
  public static String of(Key key) {
    return String.join(",", parts(key));
  }

  /** Returns whether a key names a user. */
  static boolean hasUser(Key key) {
    return parts(key).stream().anyMatch(each -> each.startsWith(USER));
  }

  /**
   * Returns whether a key has an address; true as well if it is the digest of a tuple, which has
   * one or a user.
   */
  static boolean hasAddress(Key key) {
    return parts(key).stream()
        .anyMatch(each -> each.startsWith(ADDRESS) || each.startsWith(DIGEST_OF_ALL));
  }

  private static List<String> parts(Key key) {
    String encoded = key.encoded();
    List<String> parts = new ArrayList<>(2);
    int at = 0;
    while (at < encoded.length()) {
      char kind = encoded.charAt(at++);
      char next = encoded.charAt(at);
      if (next == DIGEST_OF_TUPLE) {
        parts.add(DIGEST_OF_ALL + encoded.substring(at + 2));
        at = encoded.length();
      } else if (next == DIGEST) {
        int begin = at + 1;
        at = begin + DIGEST_LENGTH;
        parts.add(name(kind) + "-digest:" + encoded.substring(begin, at));
      } else {
        int colon = encoded.indexOf(':', at);
        int begin = colon + 1;
        at = begin + Integer.parseInt(encoded, at, colon, 10);
        parts.add(part(kind, encoded.substring(begin, at)));
      }
    }
    return parts;
  }

  private static String part(char kind, String text) {
    return switch (kind) {
      case 'a' ->
          AddressBits.parse(text)
              .map(bits -> ADDRESS + bits.text())
              .orElseGet(() -> name(kind) + ":" + escaped(text));
      case 'u' -> USER + ":" + escaped(text);
      case 'k' -> AccessSubject.keyOf(text).toString();
      default -> name(kind);
    };
  }

  private static String name(char kind) {
    return switch (kind) {
      case 'a' -> "peer"; // one without an address
      case 'u' -> USER;
      case 'k' -> "key";
      case '*' -> "everybody";
      default -> "nobody";
    };
  }

  /** Escapes commas, percent signs and control characters. */
  private static String escaped(String text) {
    if (text.chars().noneMatch(KeyText::mustBeEscaped)) {
      return text;
    }
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (mustBeEscaped(each)) {
        escaped.append(String.format(Locale.ROOT, "%%%02X", (int) each));
      } else {
        escaped.append(each);
      }
    }
    return escaped.toString();
  }

  private static boolean mustBeEscaped(int character) {
    return character == SEPARATOR || character == '%' || Character.isISOControl(character);
  }
}
