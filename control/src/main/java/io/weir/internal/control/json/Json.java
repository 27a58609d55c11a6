package io.weir.internal.control.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads and writes JSON. Rejects documents that exceed the bounds, repeat a member or have a value
 * of the wrong type.
 *
 * <p>Safe for concurrent use.
 */
public final class Json {
  private static final int MAX_DEPTH = 16;
  private static final int MAX_NUMBER_LENGTH = 40;
  private static final int MAX_NAME_LENGTH = 8_192;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNumberLength(MAX_NUMBER_LENGTH)
                          .maxNameLength(MAX_NAME_LENGTH)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .addModule(new TextAndTimeModule())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build();

  private static final ObjectMapper STRICT =
      MAPPER.copy().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private Json() {}

  /**
   * Reads a document.
   *
   * @throws MalformedJsonException if it isn't one JSON document in UTF-8, nests deeper than 16
   *     levels, has a number of more than 40 characters, or repeats a member in an object
   */
  public static JsonNode parse(byte[] utf8) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
      JsonNode tree = MAPPER.readTree(text);
      if (tree.isMissingNode()) {
        throw new MalformedJsonException("The body is empty.");
      }
      return tree;
    } catch (CharacterCodingException garbled) {
      throw new MalformedJsonException("The body isn't UTF-8.");
    } catch (JsonProcessingException malformed) {
      throw new MalformedJsonException(
          "The body isn't valid JSON"
              + place(malformed.getLocation())
              + ": "
              + malformed.getOriginalMessage());
    }
  }

  /** Returns the tree of a document, or the text itself if it is none. */
  public static Object parseIfAny(String text) {
    try {
      return parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (IllegalArgumentException notJson) {
      return text;
    }
  }

  private static String place(JsonLocation location) {
    return location == null
        ? ""
        : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
  }

  /**
   * Converts a tree to a value.
   *
   * @param type a record, or a plain value
   * @throws InvalidFieldException if something in it has the wrong type, or a record doesn't have
   *     one of the members
   */
  public static <T> T bind(JsonNode tree, Class<T> type) {
    return bind(tree, type, STRICT);
  }

  /**
   * Converts a tree to a value as {@link #bind} does, but ignores members that a record doesn't
   * have.
   */
  public static <T> T bindIgnoringUnknown(JsonNode tree, Class<T> type) {
    return bind(tree, type, MAPPER);
  }

  private static <T> T bind(JsonNode tree, Class<T> type, ObjectMapper mapper) {
    try {
      T value = tree.isNull() ? null : mapper.treeToValue(tree, type);
      if (value == null) {
        throw new InvalidFieldException(FieldPath.WHOLE, TypeErrorMessages.rule(type));
      }
      return value;
    } catch (JsonMappingException wrong) {
      throw invalid(wrong);
    } catch (JsonProcessingException wrong) {
      throw new MalformedJsonException(wrong.getOriginalMessage());
    }
  }

  private static InvalidFieldException invalid(JsonMappingException wrong) {
    String field = FieldPath.of(wrong.getPath());
    if (wrong.getCause() instanceof InvalidFieldException inside) {
      return inside.in(field);
    }
    if (wrong instanceof InvalidFormatException format
        && format.getOriginalMessage().startsWith(TextAndTimeModule.RULE)) {
      return new InvalidFieldException(field, format.getOriginalMessage());
    }
    if (wrong instanceof UnrecognizedPropertyException unknown) {
      return new InvalidFieldException(
          field,
          TypeErrorMessages.unknownField(unknown.getPropertyName(), unknown.getReferringClass()));
    }
    if (wrong.getCause() instanceof InputCoercionException tooLarge) {
      return new InvalidFieldException(field, TypeErrorMessages.rule(tooLarge.getTargetType()));
    }
    return new InvalidFieldException(
        field,
        wrong instanceof MismatchedInputException mismatched
            ? TypeErrorMessages.rule(mismatched.getTargetType())
            : TypeErrorMessages.WRONG_TYPE);
  }

  /**
   * Writes a document in UTF-8.
   *
   * @param value a record, map, list or plain value
   */
  public static byte[] bytes(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
