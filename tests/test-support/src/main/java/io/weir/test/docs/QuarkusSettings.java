package io.weir.test.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the settings as Quarkus' tools read those of extensions, from the metadata of Spring's
 * IDEs, which {@link SettingCopies} keeps. The build of the extension runs it:
 *
 * <pre>java QuarkusSettings.java spring-configuration-metadata.json quarkus-config-doc</pre>
 */
public final class QuarkusSettings {
  private static final String MODEL =
      "io.quarkus.annotation.processor.documentation.config.model.ConfigProperty";

  /** Stands for the class that settings of extensions usually have. */
  private static final String TYPE = "io.weir.Weir";

  private static final String EXTENSION =
      "\"extension\": {\"groupId\": \"io.weir\", \"artifactId\": \"weir-quarkus\","
          + " \"name\": \"Weir\", \"nameSource\": \"EXTENSION_METADATA\", \"detected\": true}";

  /** Settings that have no value, but those below them, by names of the application. */
  private static final Set<String> MAPS = Set.of("weir.policy", "weir.cost");

  private static final Pattern PROPERTY =
      Pattern.compile("(?s)\n    \\{\n      \"name\": \"([^\"]+)\",\n(.*?)\n    }");
  private static final Pattern FIELD =
      Pattern.compile("\"(type|description|defaultValue)\": (.+?),?(?:\n|$)");

  private QuarkusSettings() {}

  /**
   * Holds a setting.
   *
   * @param name the full name
   * @param type a Java type
   * @param description a JSON text
   * @param value the default as a JSON text; empty if there is none
   */
  private record Setting(String name, String type, String description, String value) {
    static Setting of(String name, String fields) {
      String type = "";
      String description = "\"\"";
      String value = "";
      Matcher field = FIELD.matcher(fields);
      while (field.find()) {
        String text = field.group(2);
        switch (field.group(1)) {
          case "type" -> type = text.replace("\"", "").replaceFirst("<.*", "");
          case "description" -> description = text;
          default -> value = text.startsWith("\"") ? text : "\"" + text + "\"";
        }
      }
      return new Setting(name, type, description, value);
    }

    String element() {
      return name.substring("weir.".length());
    }

    String property() {
      List<String> fields = new ArrayList<>();
      fields.add(text("@class", MODEL));
      fields.add("\"path\": {" + path() + "}");
      fields.add(text("phase", "RUN_TIME"));
      fields.add(text("sourceType", TYPE));
      fields.add(text("sourceElementName", element()));
      fields.add(text("sourceElementType", "METHOD"));
      fields.add(text("type", type));
      fields.add(text("typeDescription", type.replaceFirst(".*\\.", "").toLowerCase(Locale.ROOT)));
      fields.add("\"optional\": true");
      if (!value.isEmpty()) {
        fields.add("\"defaultValue\": " + value);
      }
      return "{" + String.join(", ", fields) + "}";
    }

    private String path() {
      String variable = name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
      return text("@class", MODEL + "$PropertyPath")
          + ", "
          + text("property", name)
          + ", "
          + text("environmentVariable", variable);
    }

    String javadoc() {
      return "\""
          + TYPE
          + "."
          + element()
          + "\": {\"description\": "
          + description
          + ", \"format\": \"JAVADOC\"}";
    }

    private static String text(String field, String text) {
      return "\"" + field + "\": \"" + text + "\"";
    }
  }

  /**
   * Writes the files.
   *
   * @param places the metadata, and the folder of the files
   * @throws IOException if a file can't be read or written
   */
  public static void main(String[] places) throws IOException {
    List<Setting> settings = read(Files.readString(Path.of(places[0])));
    Path folder = Files.createDirectories(Path.of(places[1]));
    Files.writeString(folder.resolve("quarkus-config-model-version"), "1");
    Files.writeString(
        folder.resolve("quarkus-config-model.json"),
        "{\"configRoots\": [{"
            + EXTENSION
            + ", \"prefix\": \"weir\", \"topLevelPrefix\": \"weir\", \"qualifiedNames\": [\""
            + TYPE
            + "\"], \"items\": [\n"
            + joined(settings.stream().map(Setting::property))
            + "\n]}]}\n");
    Files.writeString(
        folder.resolve("quarkus-config-javadoc.json"),
        "{"
            + EXTENSION
            + ", \"elements\": {\n"
            + joined(settings.stream().map(Setting::javadoc))
            + "\n}}\n");
  }

  private static List<Setting> read(String metadata) {
    String properties = metadata.substring(metadata.indexOf("\"properties\": ["));
    return PROPERTY
        .matcher(properties.substring(0, properties.indexOf("\n  ]")))
        .results()
        .map(each -> Setting.of(each.group(1), onQuarkus(each.group(2))))
        .filter(each -> !MAPS.contains(each.name()) && !each.description().contains("Spring Boot"))
        .toList();
  }

  /** Rewrites what a description says of Spring. */
  private static String onQuarkus(String fields) {
    return fields
        .replace("spring.application.name", "quarkus.application.name")
        .replace(" spring for the Redis of Spring Boot,", "");
  }

  private static String joined(Stream<String> entries) {
    return entries.collect(Collectors.joining(",\n"));
  }
}
