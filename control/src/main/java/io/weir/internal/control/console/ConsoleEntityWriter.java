package io.weir.internal.control.console;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;

/** Writes the bodies of the console's responses. Safe for concurrent use. */
public final class ConsoleEntityWriter implements MessageBodyWriter<ConsoleEntity> {
  /** Made by the feature. */
  public ConsoleEntityWriter() {}

  @Override
  public boolean isWriteable(
      Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
    return type == ConsoleEntity.class;
  }

  @Override
  public void writeTo(
      ConsoleEntity entity,
      Class<?> type,
      Type generic,
      Annotation[] annotations,
      MediaType media,
      MultivaluedMap<String, Object> headers,
      OutputStream out)
      throws IOException {
    entity.write(headers, out);
  }
}
