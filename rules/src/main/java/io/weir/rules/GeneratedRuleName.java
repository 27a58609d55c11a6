package io.weir.rules;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;

/**
 * Makes the names of rules that have none: {@code /api/posts} in 60 seconds is {@code
 * api.posts-60s}.
 *
 * <p>Where that could be the name of two rules, or is too long, a digest of pattern, methods and
 * whom it counts follows. The window is never cut, since rules of one pattern may differ in nothing
 * else. Names of variables and a slash at the end make no other name, as they match nothing else.
 * In shadow mode {@code -shadow} follows.
 */
final class GeneratedRuleName {
  private static final int MOST = 50;
  private static final int HEX_DIGITS = 8;
  private static final List<String> BY_USER = List.of("USER");

  /** Gives a rule in shadow mode a place and buckets of its own beside the enforced one. */
  private static final String TRIED = "-shadow";

  private GeneratedRuleName() {}

  static String made(Rule rule) {
    return rule.state() == RuleState.SHADOW ? enforced(rule) + TRIED : enforced(rule);
  }

  private static String enforced(Rule rule) {
    String pattern = withoutVariableNames(rule.pattern());
    String path = readable(pattern);
    String window = "-" + rule.window().inNames();
    boolean isPlain =
        isPlain(pattern) && rule.methods().isEmpty() && rule.countBy().equals(BY_USER);
    if (isPlain && path.length() + window.length() <= MOST) {
      return path + window;
    }
    String told =
        String.join(
            "\n",
            pattern,
            String.join(",", new TreeSet<>(rule.methods())),
            String.join("+", rule.countBy()));
    int left = Math.min(path.length(), MOST - window.length());
    return path.substring(0, left) + window + "-" + digest(told);
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
    return pattern.chars().allMatch(letter -> isLetterOrDigit(letter) || "/-".indexOf(letter) >= 0);
  }

  private static boolean isLetterOrDigit(int letter) {
    return letter >= 'a' && letter <= 'z'
        || letter >= 'A' && letter <= 'Z'
        || letter >= '0' && letter <= '9';
  }

  private static String readable(String pattern) {
    String path = pattern.startsWith("/") ? pattern.substring(1) : pattern;
    String all = path.endsWith("*") ? path.substring(0, path.length() - 1) + "all" : path;
    StringBuilder text = new StringBuilder();
    all.replace("{}", "_")
        .chars()
        .map(letter -> letter == '/' ? '.' : letter)
        .map(letter -> isLetterOrDigit(letter) || "._-".indexOf(letter) >= 0 ? letter : '_')
        .forEach(letter -> text.append((char) letter));
    return text.toString();
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
