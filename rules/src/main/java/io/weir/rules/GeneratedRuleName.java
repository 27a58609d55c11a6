package io.weir.rules;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Generates the name of a rule whose row has none: for {@code /api/posts} in 60 seconds, {@code
 * api.posts-60s}.
 *
 * <p>If two rules could have the same name, or it is too long, a digest of pattern, methods and
 * keys follows. The window is never cut off, since rules of one pattern may differ in nothing else.
 * Names of variables and a slash at the end don't change the name, as they don't change what is
 * matched. In shadow mode {@code -shadow} follows.
 */
final class GeneratedRuleName {
  private static final int MAX_LENGTH = 50;
  private static final int HEX_DIGITS = 8;
  private static final List<String> BY_USER = List.of("USER");

  /** Gives a rule in shadow mode buckets of its own beside the enforced one. */
  private static final String SHADOW_SUFFIX = "-shadow";

  private GeneratedRuleName() {}

  static String of(
      String pattern,
      RuleWindow window,
      Set<String> methods,
      List<String> countBy,
      RuleState state) {
    String enforced =
        enforced(withoutVariableNames(pattern), "-" + window.inNames(), methods, countBy);
    return state == RuleState.SHADOW ? enforced + SHADOW_SUFFIX : enforced;
  }

  private static String enforced(
      String pattern, String window, Set<String> methods, List<String> countBy) {
    String path = readable(pattern);
    boolean isPlain = isPlain(pattern) && methods.isEmpty() && countBy.equals(BY_USER);
    if (isPlain && path.length() + window.length() <= MAX_LENGTH) {
      return path + window;
    }
    String distinction =
        String.join(
            "\n", pattern, String.join(",", new TreeSet<>(methods)), String.join("+", countBy));
    int left = Math.min(path.length(), MAX_LENGTH - window.length());
    return path.substring(0, left) + window + "-" + digest(distinction);
  }

  private static String withoutVariableNames(String pattern) {
    int end =
        pattern.length() > 1 && pattern.endsWith("/") ? pattern.length() - 1 : pattern.length();
    StringBuilder text = new StringBuilder();
    int braces = 0;
    for (int at = 0; at < end; at++) {
      char letter = pattern.charAt(at);
      if (letter == '}' && --braces == 0 || letter == '{' && braces++ == 0 || braces == 0) {
        text.append(letter);
      }
    }
    return text.toString();
  }

  private static boolean isPlain(String pattern) {
    for (int at = 0; at < pattern.length(); at++) {
      char letter = pattern.charAt(at);
      if (!isLetterOrDigit(letter) && letter != '/' && letter != '-') {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetterOrDigit(int letter) {
    return letter >= 'a' && letter <= 'z'
        || letter >= 'A' && letter <= 'Z'
        || letter >= '0' && letter <= '9';
  }

  private static String readable(String pattern) {
    String path = pattern.startsWith("/") ? pattern.substring(1) : pattern;
    String all = path.endsWith("*") ? path.substring(0, path.length() - 1) + "all" : path;
    char[] text = all.replace("{}", "_").toCharArray();
    for (int at = 0; at < text.length; at++) {
      if (text[at] == '/') {
        text[at] = '.';
      } else if (!isLetterOrDigit(text[at]) && "._-".indexOf(text[at]) < 0) {
        text[at] = '_';
      }
    }
    return new String(text);
  }

  private static String digest(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, HEX_DIGITS);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
