package io.weir.rules;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** Makes the names of rules that have none. */
final class RuleNames {
  private static final int MOST = 50;
  private static final int HEX_DIGITS = 8;
  private static final List<String> BY_USER = List.of("USER");

  private RuleNames() {}

  static String made(Rule rule) {
    String window = "-" + rule.window().toString().replace(" ", "").toLowerCase(Locale.ROOT);
    String name = readable(rule.pattern()) + window;
    boolean isPlain =
        rule.pattern().matches("[A-Za-z0-9/-]*")
            && rule.methods().isEmpty()
            && rule.countBy().equals(BY_USER);
    if (isPlain && name.length() <= MOST) {
      return name;
    }
    String told =
        rule.pattern() + "\n" + String.join(",", new TreeSet<>(rule.methods())) + "\n"
            + String.join("+", rule.countBy());
    // The window stays whole: rules of one pattern differ in nothing else.
    String path = readable(rule.pattern());
    int left = Math.max(0, MOST - window.length());
    return path.substring(0, Math.min(left, path.length())) + window + "-" + digest(told);
  }

  private static String readable(String pattern) {
    String path = pattern.startsWith("/") ? pattern.substring(1) : pattern;
    String all = path.endsWith("*") ? path.substring(0, path.length() - 1) + "all" : path;
    return all.replaceAll("\\{[^}]*}", "_").replace('/', '.').replaceAll("[^A-Za-z0-9._-]", "_");
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
