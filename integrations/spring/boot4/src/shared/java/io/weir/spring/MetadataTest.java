package io.weir.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.InvalidSettingException;
import io.weir.Weir;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/**
 * The metadata that IDEs read names all settings and no others: those that the page of settings
 * has, which is held to the code by tests of its own, and that a Weir knows.
 */
class MetadataTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`weir[.][^|]*) \\| ([^|]*) \\|");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");
  private static final Set<String> MAPS = Set.of("weir.policy", "weir.cost");

  @SuppressWarnings("unchecked") // JSON objects are maps with texts as keys
  private static Map<String, Map<String, Object>> properties() throws IOException {
    Map<String, Object> all;
    try (InputStream in =
        MetadataTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      all =
          JsonParserFactory.getJsonParser()
              .parseMap(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
    Map<String, Map<String, Object>> byName = new HashMap<>();
    for (Object each : (List<Object>) all.get("properties")) {
      Map<String, Object> property = (Map<String, Object>) each;
      assertEquals(null, byName.put((String) property.get("name"), property), "named twice");
    }
    return byName;
  }

  private static String page() throws IOException {
    return Files.readString(Path.of("../../../docs/settings.md"));
  }

  /** Returns the defaults of the page by names. */
  private static Map<String, String> ofPage() throws IOException {
    Map<String, String> defaults = new HashMap<>();
    Matcher rows = ROW.matcher(page());
    while (rows.find()) {
      List<String> names =
          NAME.matcher(rows.group(1)).results().map((MatchResult each) -> each.group(1)).toList();
      String parent = names.get(0).substring(0, names.get(0).lastIndexOf('.'));
      for (String name : names) {
        String full = name.startsWith(".") ? parent + name : name;
        if (!full.contains("<")) {
          defaults.put(full, rows.group(2).strip());
        }
      }
    }
    String members =
        page().replaceFirst("(?s).*## Members of a policy", "").replaceFirst("(?s)\n## .*", "");
    Matcher member = Pattern.compile("(?m)^\\| `([a-z-]+)(?:\\.<name>)?` \\|").matcher(members);
    while (member.find()) {
      if (!member.group(1).equals("url")) {
        defaults.put("weir.default." + member.group(1), "");
        defaults.put("weir.application." + member.group(1), "");
      }
    }
    return defaults;
  }

  @Test
  void namesTheSettingsOfThePage() throws IOException {
    Set<String> named = new TreeSet<>(properties().keySet());
    named.removeAll(MAPS);
    assertEquals(
        new TreeSet<>(ofPage().keySet()),
        named,
        "java tests/test-support/src/main/java/io/weir/test/docs/SettingCopies.java adds what is missing");
  }

  @Test
  void hasTheDefaultsOfThePage() throws IOException {
    Map<String, Map<String, Object>> properties = properties();
    ofPage()
        .forEach(
            (name, text) -> {
              Object value = properties.get(name).get("defaultValue");
              if (text.matches("[\\d,]+")) {
                assertEquals(text.replace(",", ""), String.valueOf(value), name);
              } else if (text.matches("`[^`]*`")) {
                assertEquals(text.replace("`", ""), String.valueOf(value), name);
              } else {
                assertEquals(null, value, name);
              }
            });
  }

  /** With one value that is wrong for sure, all names are checked and nothing is opened. */
  @Test
  void namesNoSettingThatAWeirDoesntKnow() throws IOException {
    Map<String, String> values = new HashMap<>(Map.of("weir.enabled", "perhaps"));
    for (String name : properties().keySet()) {
      if (!MAPS.contains(name)) {
        values.putIfAbsent(name.matches(".*\\.tier(-refill)?") ? name + ".gold" : name, "?");
      }
    }
    values.put("weir.cost.POST", "1");
    values.put("weir.policy.search.limit", "1");
    String mistakes =
        assertThrows(
                InvalidSettingException.class,
                () -> Weir.builder().onlyGivenSettings().settings(values).build())
            .getMessage();
    assertEquals(
        List.of(), mistakes.lines().filter(line -> line.contains("unknown setting")).toList());
  }
}
