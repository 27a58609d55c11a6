package io.weir.internal.body;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.weir.InvalidRequestException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds values in a JSON text by JSON Pointer (RFC 6901). Names are compared without regard to
 * case, since readers may do so; a name on the way that an object has twice is an error, whichever
 * of its values a reader takes.
 *
 * <p>Immutable. The only class that needs Jackson.
 */
final class JsonFields {
  // Names are the client's, so none is kept.
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .build();

  /** Some readers make an object of a text, or of an array that has a single one. */
  private static final String ELSEWHERE = "must be in the object or array that the path names";

  private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");

  private final String text;
  private final int maxDepth;

  /**
   * Takes a text, which isn't parsed yet.
   *
   * @param maxDepth how many objects and arrays may contain each other
   */
  JsonFields(String text, int maxDepth) {
    this.text = text;
    this.maxDepth = maxDepth;
  }

  /**
   * Finds a value.
   *
   * @param pointer a valid JSON Pointer, not the empty one
   * @param anyNumber whether a number may have a fraction or an exponent, or be -0 or longer than
   *     64 bits
   * @return a text, number, {@code true} or {@code false}; empty if it is missing or null
   * @throws InvalidRequestException if it is an object, an array or another number, if there are
   *     several, if a name on the way leads into a text, number or array, or the text isn't JSON
   */
  Optional<String> find(String pointer, boolean anyNumber) {
    String[] names = pointer.substring(1).split("/", -1);
    for (int i = 0; i < names.length; i++) {
      names[i] = names[i].replace("~1", "/").replace("~0", "~");
    }
    try (JsonParser parser = FACTORY.createParser(text)) {
      Search search = new Search(parser, pointer, names, anyNumber);
      if (parser.nextToken() == null) {
        return Optional.empty();
      }
      search.enter(0);
      if (parser.nextToken() != null) {
        throw malformed();
      }
      return Optional.ofNullable(search.found);
    } catch (JsonProcessingException invalid) {
      throw malformed();
    } catch (IOException impossible) { // of a text
      throw new UncheckedIOException(impossible);
    }
  }

  private static InvalidRequestException malformed() {
    return new InvalidRequestException("The JSON in the body is malformed.");
  }

  /** Walks through the whole text once. */
  private final class Search {
    private final JsonParser parser;
    private final String pointer;
    private final String[] names;
    private final boolean anyNumber;
    private @Nullable String found;
    private int depth;

    Search(JsonParser parser, String pointer, String[] names, boolean anyNumber) {
      this.parser = parser;
      this.pointer = pointer;
      this.names = names;
      this.anyNumber = anyNumber;
    }

    /**
     * Reads the current value.
     *
     * @param level how many names lead here; negative where none does
     */
    void enter(int level) throws IOException {
      boolean isTarget = level == names.length;
      JsonToken token = parser.currentToken();
      if (token.isStructStart()) {
        if (isTarget) {
          throw wrong("must be a text or a whole number");
        }
        depth++;
        if (depth > maxDepth) {
          throw new InvalidRequestException(
              "The JSON in the body is nested more than " + maxDepth + " levels deep.");
        }
        if (token == JsonToken.START_OBJECT) {
          members(level);
        } else {
          elements(level);
        }
        depth--;
      } else if (isTarget) {
        found = value(token);
      } else if (level >= 0 && token != JsonToken.VALUE_NULL) {
        throw wrong(ELSEWHERE);
      }
    }

    private void members(int level) throws IOException {
      boolean met = false;
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        boolean leads = level >= 0 && name.equalsIgnoreCase(names[level]);
        if (leads && met) {
          throw wrong("has several values");
        }
        met |= leads;
        parser.nextToken();
        enter(leads ? level + 1 : -1);
      }
    }

    private void elements(int level) throws IOException {
      if (level >= 0 && !INDEX.matcher(names[level]).matches()) {
        throw wrong(ELSEWHERE);
      }
      int wanted = level >= 0 ? Integer.parseInt(names[level]) : -1;
      for (int index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
        enter(index == wanted ? level + 1 : -1);
      }
    }

    private @Nullable String value(JsonToken token) throws IOException {
      return switch (token) {
        case VALUE_STRING -> wellFormed(parser.getText());
        case VALUE_NUMBER_INT -> whole(parser.getText());
        case VALUE_NUMBER_FLOAT -> {
          if (!anyNumber) {
            throw wrong("must be a text or a whole number");
          }
          yield parser.getText();
        }
        case VALUE_TRUE, VALUE_FALSE -> parser.getText();
        default -> null;
      };
    }

    /** Refuses, for keys, numbers that are others where a reader makes a {@code long} of them. */
    private String whole(String number) throws IOException {
      boolean isMinusZero = number.equals("-0");
      if (!anyNumber && (isMinusZero || parser.getNumberType() == NumberType.BIG_INTEGER)) {
        throw wrong("must be a whole number of 64 bits, and not -0");
      }
      return isMinusZero ? "0" : number;
    }

    /** Refuses half of a surrogate pair, which becomes a question mark in any charset. */
    private String wellFormed(String value) {
      for (int at = 0; at < value.length(); at++) {
        if (Character.isHighSurrogate(value.charAt(at))
            && at + 1 < value.length()
            && Character.isLowSurrogate(value.charAt(at + 1))) {
          at++;
        } else if (Character.isSurrogate(value.charAt(at))) {
          throw malformed();
        }
      }
      return value;
    }

    private InvalidRequestException wrong(String rule) {
      return new InvalidRequestException("The JSON field " + pointer + " " + rule + ".");
    }
  }
}
