package io.weir.micronaut;

import io.micronaut.core.type.Argument;
import io.micronaut.core.type.MutableHeaders;
import io.micronaut.http.ByteBodyHttpResponse;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.body.ByteBodyFactory;
import io.micronaut.http.body.CloseableByteBody;
import io.micronaut.http.body.MessageBodyWriter;
import io.micronaut.http.body.ResponseBodyWriter;
import java.io.OutputStream;

/**
 * Ends a request when the body of its response is written, before that leaves. If it can't be
 * written, Micronaut answers with 500.
 */
final class OutcomeWriter implements ResponseBodyWriter<Object> {
  private final ResponseBodyWriter<Object> writer;
  private final LimitedHttp limited;

  OutcomeWriter(MessageBodyWriter<Object> writer, LimitedHttp limited) {
    this.writer = ResponseBodyWriter.wrap(writer);
    this.limited = limited;
  }

  @Override
  public ByteBodyHttpResponse<?> write(
      ByteBodyFactory bodies,
      HttpRequest<?> request,
      MutableHttpResponse<Object> response,
      Argument<Object> type,
      MediaType mediaType,
      Object object) {
    try {
      ByteBodyHttpResponse<?> written =
          writer.write(bodies, request, response, type, mediaType, object);
      limited.completed(written.code());
      return written;
    } catch (RuntimeException | Error unwritable) {
      limited.failed();
      throw unwritable;
    }
  }

  @Override
  public CloseableByteBody writePiece(
      ByteBodyFactory bodies,
      HttpRequest<?> request,
      HttpResponse<?> response,
      Argument<Object> type,
      MediaType mediaType,
      Object object) {
    return writer.writePiece(bodies, request, response, type, mediaType, object);
  }

  @Override
  public void writeTo(
      Argument<Object> type,
      MediaType mediaType,
      Object object,
      MutableHeaders headers,
      OutputStream out) {
    writer.writeTo(type, mediaType, object, headers, out);
  }

  @Override
  public boolean isWriteable(Argument<Object> type, MediaType mediaType) {
    return writer.isWriteable(type, mediaType);
  }

  @Override
  public boolean isBlocking() {
    return writer.isBlocking();
  }
}
