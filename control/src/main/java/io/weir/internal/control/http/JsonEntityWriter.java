package io.weir.internal.control.http;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;

/** Writes the JSON bodies of the feature's responses. Safe for concurrent use. */
public final class JsonEntityWriter implements MessageBodyWriter<JsonEntity> {
  /** Made by the feature. */
  public JsonEntityWriter() {}

  @Override
  public boolean isWriteable(
      Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
    return type == JsonEntity.class;
  }

  @Override
  public void writeTo(
      JsonEntity entity,
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
