package io.weir.compat.attack;

import java.util.Locale;
import java.util.Random;

/** Request targets that mean a path, might mean it, or look as if they did. */
public final class Spelling {
  private static final String[] INSERTED = {
    "/", "/./", "/x/../", "/%2e/", "/%2E%2e/", "/x/%2e%2e/", "/.;/", "/..;/", ";", ";v=1", "/;/",
    ";jsessionid=AB12", "%3B", "%3bjsessionid=1", "%2F", "%2f", "%5C", "\\", "%00", "%20", "%09",
        "+",
    "%c0%af", "%u002f", "%zz", "%", ".", "..", ",", "%252e", "\u00e9",
  };
  private static final String[] APPENDED = {
    "/", "//", "?", "?a=b", "?;/../x", "#x", "%23", "%3F", ";", "/.", "/..", "/x/..", ".json",
    ".do", "/extra", "%20", "%0a", " ",
  };
  private static final String[] BEFORE = {
    "http://localhost",
    "HTTP://LOCALHOST",
    "http://other.example",
    "http://user@localhost:1",
    "/.",
    "/..",
    "/",
    "/x/..",
    "",
  };

  private Spelling() {}

  /** Picks one and changes it in up to three places. */
  public static String of(Random random, String path) {
    String target = path;
    for (int changes = random.nextInt(4); changes > 0; changes--) {
      target = changed(random, target);
    }
    return target;
  }

  private static String changed(Random random, String path) {
    int at = random.nextInt(path.length());
    String before = path.substring(0, at);
    String after = path.substring(at);
    char c = path.charAt(at);
    return switch (random.nextInt(7)) {
      case 0 -> before + Cases.one(random, INSERTED) + after;
      case 1 -> before + escaped(random, c) + after.substring(1);
      case 2 -> before + Character.toUpperCase(c) + after.substring(1);
      case 3 -> path.replaceFirst("/", Cases.one(random, INSERTED) + "/");
      case 4 -> Cases.one(random, BEFORE) + path;
      case 5 -> path.replace("/", Cases.one(random, "//", "/./", "/;/", "/%2e/"));
      default -> path + Cases.one(random, APPENDED);
    };
  }

  private static String escaped(Random random, char c) {
    String hex = String.format(Locale.ROOT, "%02x", (int) c & 0xFF);
    return Cases.one(random, "%", "%", "%25")
        + Cases.one(random, hex, hex.toUpperCase(Locale.ROOT));
  }
}
