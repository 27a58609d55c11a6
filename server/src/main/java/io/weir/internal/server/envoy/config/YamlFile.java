package io.weir.internal.server.envoy.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * The nodes of a YAML file, and the mistakes found in it, each with its place. No objects are
 * constructed from a file, so that it can't execute anything. Confine to one thread.
 */
final class YamlFile {
  private static final int MAX_ALIASES = 100_000;
  private static final String MERGE = "<<";

  private final String name;
  private final List<String> mistakes = new ArrayList<>();

  YamlFile(String name) {
    this.name = name;
  }

  /** Collects names of fields, in the order in which messages list them. */
  static Set<String> fieldNames(String... names) {
    return new LinkedHashSet<>(List.of(names));
  }

  /** Parses the file's documents, but for empty ones; none if it can't be parsed. */
  List<Node> parse(String text) {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(name)
            .setCodePointLimit(text.length() + 1)
            .setMaxAliasesForCollections(MAX_ALIASES) // its readers count them
            .setAllowNonScalarKeys(true) // to report where they are
            .build();
    List<Node> documents = new ArrayList<>();
    try {
      for (Node each : new Compose(settings).composeAllFromString(text)) {
        if (!isNull(each)) {
          documents.add(each);
        }
      }
      return documents;
    } catch (MarkedYamlEngineException broken) {
      mistake(broken.getProblemMark(), broken.getProblem());
    } catch (YamlEngineException broken) {
      mistake(Optional.empty(), String.valueOf(broken.getMessage()));
    }
    return List.of();
  }

  /**
   * Reads the fields of a mapping, and of those that {@code <<} merges into it. Unknown and
   * repeated fields are mistakes.
   */
  Map<String, Node> fields(Node node, String what, Set<String> known) {
    Map<String, Node> fields = new LinkedHashMap<>();
    if (!(node instanceof MappingNode mapping)) {
      mistake(node, what + " must have the fields " + String.join(", ", known));
      return fields;
    }
    List<Node> merged = new ArrayList<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        mistake(tuple.getKeyNode(), "a field's name must be a word");
      } else if (key.getValue().equals(MERGE)) {
        merged.add(tuple.getValueNode());
      } else if (!known.contains(key.getValue())) {
        mistake(
            key,
            "unknown key '"
                + key.getValue()
                + "' in "
                + what
                + "; allowed are "
                + String.join(", ", known));
      } else if (fields.put(key.getValue(), tuple.getValueNode()) != null) {
        mistake(key, "'" + key.getValue() + "' is repeated");
      }
    }
    merged.forEach(each -> merge(each, known, fields));
    return fields;
  }

  // A field of the mapping itself overrides a merged one, and an earlier merged one a later.
  // Mistakes
  // in merged mappings are reported at their own place.
  private void merge(Node merged, Set<String> known, Map<String, Node> fields) {
    List<Node> all = merged instanceof SequenceNode list ? list.getValue() : List.of(merged);
    for (Node each : all) {
      if (each instanceof MappingNode mapping) {
        for (NodeTuple tuple : mapping.getValue()) {
          if (tuple.getKeyNode() instanceof ScalarNode key && known.contains(key.getValue())) {
            fields.putIfAbsent(key.getValue(), tuple.getValueNode());
          } else {
            mistake(tuple.getKeyNode(), "unknown keys can't be merged");
          }
        }
      } else {
        mistake(each, "only mappings can be merged");
      }
    }
  }

  /** Returns the members of a list; none if it is null or missing. */
  List<Node> list(Map<String, Node> fields, String field) {
    Node node = fields.get(field);
    if (node == null || isNull(node)) {
      return List.of();
    }
    if (node instanceof SequenceNode sequence) {
      return sequence.getValue();
    }
    mistake(node, field + " must be a list");
    return List.of();
  }

  /** Returns a single value as written; empty if it is null or missing. */
  String text(Map<String, Node> fields, String field) {
    Node node = fields.get(field);
    if (node == null || isNull(node)) {
      return "";
    }
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    mistake(node, field + " must be a single value");
    return "";
  }

  /** Returns true or false; false if it is missing. */
  boolean flag(Map<String, Node> fields, String field) {
    Node node = fields.get(field);
    String text = text(fields, field);
    if (node != null && !text.isEmpty() && !text.equals("true") && !text.equals("false")) {
      mistake(node, field + " must be true or false, not '" + text + "'");
    }
    return text.equals("true");
  }

  void mistake(Node where, String text) {
    mistake(where.getStartMark(), text);
  }

  private void mistake(Optional<Mark> where, String text) {
    String place =
        where.map(at -> ":" + (at.getLine() + 1) + ":" + (at.getColumn() + 1)).orElse("");
    mistakes.add(name + place + ": " + text);
  }

  /** Throws the mistakes found so far, if there are any. */
  void requireCorrect() {
    if (!mistakes.isEmpty()) {
      throw new ConfigException(mistakes);
    }
  }

  static boolean isNull(Node node) {
    return node.getTag().equals(Tag.NULL);
  }
}
