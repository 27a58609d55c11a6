package io.weir.internal.control.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.weir.internal.rules.database.StorableText;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.function.Function;

/**
 * Reads and writes texts, instants and days in JSON. Each text must be a {@link StorableText}.
 * Leaves out members that are {@link OmittedIfNull}.
 */
final class TextAndTimeModule extends SimpleModule {
  private static final long serialVersionUID = 1;

  /** The beginning of each message of this module, which is a rule by itself. */
  static final String RULE = "must ";

  static final String TEXT_RULE = RULE + "be a string";

  TextAndTimeModule() {
    super("weir");
    addDeserializer(String.class, new TextReader<>(String.class, Function.identity(), TEXT_RULE));
    addDeserializer(
        Instant.class, new TextReader<>(Instant.class, Iso8601::instant, Iso8601.INSTANT_RULE));
    addDeserializer(
        LocalDate.class, new TextReader<>(LocalDate.class, Iso8601::day, Iso8601.DAY_RULE));
    addSerializer(Instant.class, new ToStringSerializer(Instant.class));
    addSerializer(LocalDate.class, new ToStringSerializer(LocalDate.class));
  }

  @Override
  public void setupModule(SetupContext context) {
    super.setupModule(context);
    context.insertAnnotationIntrospector(new OmissionIntrospector());
  }

  /** Reads a JSON string, and no other value. */
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
      if (!StorableText.is(text)) {
        throw wrong(parser, StorableText.RULE);
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
