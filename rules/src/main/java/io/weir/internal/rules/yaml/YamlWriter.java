package io.weir.internal.rules.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/** Writes entries as a file that {@link RulebookParser} reads as the same. */
final class YamlWriter {
  private static final String NUMBER = "0|-?[1-9][0-9]{0,17}";

  private YamlWriter() {}

  /** Returns the file's text, without empty lists except {@code rules}, which a file must have. */
  static String write(Map<FileListKind, List<Map<String, String>>> entries) {
    Map<String, List<Map<String, Object>>> file = new LinkedHashMap<>();
    entries.forEach(
        (section, rows) -> {
          if (!rows.isEmpty() || section == FileListKind.RULES) {
            file.put(section.key(), rows.stream().map(row -> entry(section, row)).toList());
          }
        });
    DumpSettings settings =
        DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setIndent(4)
            .setIndicatorIndent(2)
            .setDereferenceAliases(true)
            .setSplitLines(false)
            .build();
    return new Dump(settings).dumpToString(file);
  }

  private static Map<String, Object> entry(FileListKind section, Map<String, String> row) {
    Map<String, Object> entry = new LinkedHashMap<>();
    for (String field : section.fields()) {
      String text = row.get(field);
      if (text != null) {
        entry.put(field, value(text));
      }
    }
    return entry;
  }

  private static Object value(String text) {
    if (text.matches(NUMBER)) {
      return Long.valueOf(text);
    }
    if (text.equals("true") || text.equals("false")) {
      return Boolean.valueOf(text);
    }
    return text;
  }
}
