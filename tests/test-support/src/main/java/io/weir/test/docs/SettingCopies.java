package io.weir.test.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Copies settings from {@code docs/settings.md} to the places that repeat them: the metadata of
 * Spring's IDEs, and, for settings of stores, the server's file. Adds what is missing there and
 * changes nothing else; tests compare the rest. Run it in the root of the repository:
 *
 * <pre>java tests/test-support/src/main/java/io/weir/test/docs/SettingCopies.java</pre>
 */
public final class SettingCopies {
  private static final Path PAGE = Path.of("docs/settings.md");
  private static final Path METADATA =
      Path.of(
          "integrations/spring/core/src/main/resources/META-INF/spring-configuration-metadata.json");
  private static final Path CONF = Path.of("server/src/main/archive/conf/weir.properties");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (`weir[.][^|]*) \\| ([^|]*) \\| ([^|]*) \\|$");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");
  private static final Pattern DEFAULT = Pattern.compile("`([^`]*)`|([\\d,]+)");
  private static final Pattern PROPERTY =
      Pattern.compile("(?s)    \\{\n      \"name\": \"([^\"]+)\",\n.*?\n    }");

  /** Matches settings of stores, which stand in the file without a description. */
  private static final Pattern OF_STORE = Pattern.compile("(weir[.]store[.][a-z]+[.])[a-z-]+");

  private SettingCopies() {}

  /**
   * Holds a row of the page.
   *
   * @param value the default; empty if there is none
   * @param meaning without markup
   */
  private record Row(String value, String meaning) {
    /** Returns the entry in the metadata. */
    String property(String name) {
      return "    {\n      \"name\": \""
          + name
          + "\",\n      \"type\": \""
          + type()
          + "\",\n      \"description\": \""
          + meaning.substring(0, 1).toUpperCase(Locale.ROOT)
          + meaning.substring(1).replace("\\", "\\\\").replace("\"", "\\\"")
          + ".\""
          + (value.isEmpty() ? "" : ",\n      \"defaultValue\": " + json())
          + "\n    }";
    }

    private String type() {
      if (value.matches("true|false")) {
        return "java.lang.Boolean";
      }
      if (value.matches("\\d+(ms|s|m|h|d)")) {
        return "java.time.Duration";
      }
      return value.matches("\\d+") ? "java.lang.Integer" : "java.lang.String";
    }

    private String json() {
      return value.matches("true|false|\\d+") ? value : "\"" + value + "\"";
    }
  }

  /**
   * Writes both files.
   *
   * @param none there are no arguments
   * @throws IOException if a file can't be read or written
   */
  public static void main(String[] none) throws IOException {
    Map<String, Row> rows = rows(Files.readString(PAGE));
    Files.writeString(METADATA, withProperties(Files.readString(METADATA), rows));
    Files.write(CONF, withComments(Files.readAllLines(CONF), rows));
  }

  private static Map<String, Row> rows(String page) {
    Map<String, Row> rows = new TreeMap<>();
    Matcher row = ROW.matcher(page);
    while (row.find()) {
      Matcher value = DEFAULT.matcher(row.group(2));
      Row read =
          new Row(value.matches() ? value.group().replaceAll("[`,]", "") : "", plain(row.group(3)));
      List<String> names = NAME.matcher(row.group(1)).results().map(each -> each.group(1)).toList();
      String parent = names.get(0).substring(0, names.get(0).lastIndexOf('.'));
      for (String name : names) {
        rows.put(name.startsWith(".") ? parent + name : name, read);
      }
    }
    rows.keySet().removeIf(name -> name.contains("<"));
    return rows;
  }

  /** Removes code marks, and of links all but their texts. */
  private static String plain(String text) {
    return text.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").replace("`", "");
  }

  private static String withProperties(String metadata, Map<String, Row> rows) {
    Map<String, String> properties = new TreeMap<>();
    int begin = metadata.indexOf("    {", metadata.indexOf("\"properties\": ["));
    int end = metadata.indexOf("\n  ]", begin);
    PROPERTY
        .matcher(metadata.substring(begin, end))
        .results()
        .forEach(each -> properties.put(each.group(1), each.group()));
    rows.forEach((name, row) -> properties.putIfAbsent(name, row.property(name)));
    return metadata.substring(0, begin)
        + properties.values().stream().collect(Collectors.joining(",\n"))
        + metadata.substring(end);
  }

  /** Adds each setting of a store after the last one of its kind. */
  private static List<String> withComments(List<String> lines, Map<String, Row> rows) {
    List<String> all = new ArrayList<>(lines);
    rows.forEach(
        (name, row) -> {
          Matcher ofStore = OF_STORE.matcher(name);
          if (ofStore.matches() && all.stream().noneMatch(isOf("#" + name + "="))) {
            int last = all.size() - 1;
            while (last >= 0 && !all.get(last).startsWith("#" + ofStore.group(1))) {
              last--;
            }
            if (last >= 0) { // else the server doesn't have this store
              all.add(last + 1, "#" + name + "=" + row.value());
            }
          }
        });
    return all;
  }

  private static Predicate<String> isOf(String start) {
    return line -> line.startsWith(start);
  }
}
