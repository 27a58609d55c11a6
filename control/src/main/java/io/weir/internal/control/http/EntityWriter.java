package io.weir.internal.control.http;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;

/** Writes the bodies of the feature's responses. Safe for concurrent use. */
public final class EntityWriter implements MessageBodyWriter<WrittenEntity> {
  public EntityWriter() {}

  @Override
  public boolean isWriteable(
      Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
    return WrittenEntity.class.isAssignableFrom(type);
  }

  @Override
  public void writeTo(
      WrittenEntity entity,
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
