package io.weir.internal.control.http;

import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.json.MalformedJsonException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;

/** Reads the JSON bodies of the feature's requests. Safe for concurrent use. */
public final class JsonBodyReader implements MessageBodyReader<JsonBody> {
  public JsonBodyReader() {}

  @Override
  public boolean isReadable(
      Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
    return type == JsonBody.class;
  }

  @Override
  public JsonBody readFrom(
      Class<JsonBody> type,
      Type generic,
      Annotation[] annotations,
      MediaType media,
      MultivaluedMap<String, String> headers,
      InputStream in)
      throws IOException {
    byte[] bytes = BoundedBodyReader.read(in, BoundedBodyReader.MAX_BYTES);
    if (!isJson(media)) {
      throw Problem.of(415, "The body must be application/json in UTF-8.").exception();
    }
    try {
      return new JsonBody(bytes);
    } catch (MalformedJsonException | InvalidFieldException wrong) {
      throw Problem.of(wrong).exception();
    }
  }

  private static boolean isJson(MediaType media) {
    String charset = media.getParameters().get(MediaType.CHARSET_PARAMETER);
    return media.getType().equalsIgnoreCase("application")
        && media.getSubtype().equalsIgnoreCase("json")
        && (charset == null || charset.equalsIgnoreCase("utf-8"));
  }
}
