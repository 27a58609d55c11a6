package io.weir.internal.server.envoy.config;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads the {@code metadata} of a descriptor for responses. Confine to one thread. */
final class MetadataReader {
  private static final int MAX_DEPTH = 16;
  private static final int MAX_VALUES = 1_000;

  private final YamlFile yaml;
  private int count;

  MetadataReader(YamlFile yaml) {
    this.yaml = yaml;
  }

  /** Reads the values of a mapping; omits mistakes, which the file records. */
  Struct struct(Node node) {
    if (node instanceof MappingNode mapping) {
      return struct(mapping, 0);
    }
    yaml.mistake(node, "metadata must be a mapping");
    return Struct.getDefaultInstance();
  }

  private Struct struct(MappingNode mapping, int depth) {
    Struct.Builder fields = Struct.newBuilder();
    for (NodeTuple tuple : mapping.getValue()) {
      if (tuple.getKeyNode() instanceof ScalarNode key) {
        fields.putFields(key.getValue(), value(tuple.getValueNode(), depth + 1));
      } else {
        yaml.mistake(tuple.getKeyNode(), "a field's name must be a word");
      }
    }
    return fields.build();
  }

  private Value value(Node node, int depth) {
    Value.Builder value = Value.newBuilder();
    if (depth > MAX_DEPTH || ++count > MAX_VALUES) {
      if (count <= MAX_VALUES + 1) {
        yaml.mistake(
            node, "metadata may be nested at most 16 levels deep and have at most 1,000 values");
      }
    } else if (node instanceof MappingNode mapping) {
      value.setStructValue(struct(mapping, depth));
    } else if (node instanceof SequenceNode sequence) {
      ListValue.Builder list = ListValue.newBuilder();
      for (Node each : sequence.getValue()) {
        list.addValues(value(each, depth + 1));
      }
      value.setListValue(list);
    } else if (node instanceof ScalarNode scalar) {
      scalar(scalar, value);
    }
    return value.build();
  }

  private static void scalar(ScalarNode scalar, Value.Builder value) {
    String text = scalar.getValue();
    Tag tag = scalar.getTag();
    if (tag.equals(Tag.NULL)) {
      value.setNullValue(NullValue.NULL_VALUE);
    } else if (tag.equals(Tag.BOOL)) {
      value.setBoolValue(text.equals("true"));
    } else if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
      number(text, value);
    } else {
      value.setStringValue(text);
    }
  }

  private static void number(String text, Value.Builder value) {
    try {
      value.setNumberValue(Double.parseDouble(text));
    } catch (NumberFormatException other) { // .inf or .nan, which JSON doesn't have either
      value.setStringValue(text);
    }
  }
}
