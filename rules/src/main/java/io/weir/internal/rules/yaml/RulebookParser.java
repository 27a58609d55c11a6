package io.weir.internal.rules.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Reads a file into entries with their lines. Reads only texts, lists and mappings, constructs no
 * objects, and rejects what is nested deeper than an entry's fields: so no file can do harm.
 */
final class RulebookParser {
  private static final int MAX_FILE_LENGTH = 16 * 1024 * 1024;

  private final List<String> mistakes = new ArrayList<>();
  private final List<FileEntry> entries = new ArrayList<>();

  /** A truncated or wrong file must not remove all limits. */
  private static final String TO_REMOVE_ALL = "to remove all rules, write rules: []";

  private RulebookParser() {}

  /**
   * Reads a file.
   *
   * @throws RulebookFileException naming each mistake by its line
   */
  static List<FileEntry> read(String text) {
    RulebookParser reader = new RulebookParser();
    reader.document(compose(text));
    if (!reader.mistakes.isEmpty()) {
      throw new RulebookFileException(reader.mistakes);
    }
    return reader.entries;
  }

  private static Optional<Node> compose(String text) {
    LoadSettings settings =
        LoadSettings.builder().setLabel("rulebook").setCodePointLimit(MAX_FILE_LENGTH).build();
    try {
      return new Composer(settings, new ShallowFileParser(settings, text)).getSingleNode();
    } catch (MarkedYamlEngineException broken) {
      int line = broken.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      throw new RulebookFileException(List.of("line " + line + ": " + broken.getProblem()));
    } catch (YamlEngineException broken) {
      throw new RulebookFileException(List.of("line 1: " + broken.getMessage()));
    }
  }

  private void document(Optional<Node> root) {
    if (root.isEmpty() || isNull(root.get())) {
      mistakes.add("line 1: the file is empty; " + TO_REMOVE_ALL);
      return;
    }
    if (!(root.get() instanceof MappingNode mapping)) {
      mistake(root.get(), "a rulebook must have lists named " + sections());
      return;
    }
    Map<String, Node> lists = fields(mapping);
    if (!lists.containsKey(FileListKind.RULES.key())) {
      mistake(mapping, "the file has no list named rules; " + TO_REMOVE_ALL);
    }
    lists.forEach(
        (key, value) ->
            section(key)
                .ifPresentOrElse(
                    section -> list(section, value),
                    () -> mistake(value, "unknown list '" + key + "'; allowed are " + sections())));
  }

  private void list(FileListKind section, Node value) {
    if (value instanceof SequenceNode sequence) {
      sequence.getValue().forEach(node -> entry(section, node));
    } else {
      mistake(value, section.key() + " must be a list; " + section.key() + ": [] is an empty one");
    }
  }

  private void entry(FileListKind section, Node node) {
    if (!(node instanceof MappingNode mapping)) {
      mistake(
          node,
          "an entry of "
              + section.key()
              + " must be a mapping with some of these fields: "
              + section.fields());
      return;
    }
    Map<String, String> texts = new LinkedHashMap<>();
    Map<String, Integer> lines = new LinkedHashMap<>();
    fields(mapping)
        .forEach(
            (field, value) -> {
              lines.put(field, line(value));
              if (!section.fields().contains(field)) {
                mistake(value, "unknown field '" + field + "'; allowed are " + section.fields());
              } else if (!isNull(value)) {
                text(field, value).ifPresent(text -> texts.put(field, text));
              }
            });
    entries.add(new FileEntry(section, line(node), texts, lines));
  }

  private Map<String, Node> fields(MappingNode mapping) {
    Map<String, Node> fields = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        mistake(tuple.getKeyNode(), "a field's name must be a word");
      } else if (fields.put(key.getValue(), tuple.getValueNode()) != null) {
        mistake(key, "'" + key.getValue() + "' is repeated");
      }
    }
    return fields;
  }

  private Optional<String> text(String field, Node value) {
    if (value instanceof ScalarNode scalar) {
      return Optional.of(scalar.getValue());
    }
    String separator =
        switch (field) {
          case "methods" -> ",";
          case "count_by" -> "+";
          default -> "";
        };
    if (!separator.isEmpty()
        && value instanceof SequenceNode sequence
        && sequence.getValue().stream().allMatch(ScalarNode.class::isInstance)) {
      return Optional.of(
          sequence.getValue().stream()
              .map(one -> ((ScalarNode) one).getValue())
              .collect(Collectors.joining(separator)));
    }
    mistake(value, field + " must be a single value");
    return Optional.empty();
  }

  private static Optional<FileListKind> section(String key) {
    return List.of(FileListKind.values()).stream()
        .filter(section -> section.key().equals(key))
        .findAny();
  }

  private static String sections() {
    return List.of(FileListKind.values()).stream()
        .map(FileListKind::key)
        .collect(Collectors.joining(", "));
  }

  private static boolean isNull(Node node) {
    return node.getTag().equals(Tag.NULL);
  }

  private void mistake(Node where, String message) {
    mistakes.add("line " + line(where) + ": " + message);
  }

  private static int line(Node node) {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
  }
}
