package io.weir.internal.control.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.function.Function;

/**
 * Texts, moments and days in JSON. A text has no character that a database can't keep or that has
 * no bytes in UTF-8: two that differ only there would be one caller.
 */
final class PlainValues extends SimpleModule {
  private static final long serialVersionUID = 1;

  /** How the messages begin that name the rule themselves. */
  static final String RULE = "must ";

  static final String TEXT_RULE = RULE + "be a text";
  static final String CHARACTER_RULE =
      RULE + "have neither the character U+0000 nor half of a surrogate pair";
  static final String INSTANT_RULE = RULE + "be a moment such as 2026-11-01T00:00:00Z";
  static final String DATE_RULE = RULE + "be a day such as 2026-11-01";

  PlainValues() {
    super("weir");
    addDeserializer(String.class, new TextReader<>(String.class, Function.identity(), TEXT_RULE));
    addDeserializer(Instant.class, new TextReader<>(Instant.class, Instant::parse, INSTANT_RULE));
    addDeserializer(
        LocalDate.class, new TextReader<>(LocalDate.class, LocalDate::parse, DATE_RULE));
    addSerializer(Instant.class, new ToStringSerializer(Instant.class));
    addSerializer(LocalDate.class, new ToStringSerializer(LocalDate.class));
  }

  /** Whether each character can be kept. */
  static boolean isClean(String text) {
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == 0 || Character.isLowSurrogate(each)) {
        return false;
      }
      if (Character.isHighSurrogate(each)) {
        i++;
        if (i == text.length() || !Character.isLowSurrogate(text.charAt(i))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Reads what is written as a text, and nothing else. */
  private static final class TextReader<T> extends StdScalarDeserializer<T> {
    private static final long serialVersionUID = 1;

    private final Class<T> type;
    private final transient Function<String, T> reader;
    private final String rule;

    TextReader(Class<T> type, Function<String, T> reader, String rule) {
      super(type);
      this.type = type;
      this.reader = reader;
      this.rule = rule;
    }

    @Override
    public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
      if (parser.currentToken() != JsonToken.VALUE_STRING) {
        throw wrong(parser, rule);
      }
      String text = parser.getText();
      if (!isClean(text)) {
        throw wrong(parser, CHARACTER_RULE);
      }
      try {
        return reader.apply(text);
      } catch (DateTimeException malformed) {
        throw wrong(parser, rule);
      }
    }

    private InvalidFormatException wrong(JsonParser parser, String broken) {
      return new InvalidFormatException(parser, broken, "", type);
    }
  }
}
