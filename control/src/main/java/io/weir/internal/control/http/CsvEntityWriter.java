package io.weir.internal.control.http;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;

/** Writes the CSV bodies of the feature's responses. Safe for concurrent use. */
public final class CsvEntityWriter implements MessageBodyWriter<CsvEntity> {
  /** Made by the feature. */
  public CsvEntityWriter() {}

  @Override
  public boolean isWriteable(
      Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
    return type == CsvEntity.class;
  }

  @Override
  public void writeTo(
      CsvEntity entity,
      Class<?> type,
      Type generic,
      Annotation[] annotations,
      MediaType media,
      MultivaluedMap<String, Object> headers,
      OutputStream out)
      throws IOException {
    out.write(entity.utf8());
  }
}
