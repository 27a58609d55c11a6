package io.weir.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Shows bytes that were read before, and then the rest of the container's stream.
 *
 * <p>Confine to one thread at a time.
 */
final class ReplayedInputStream extends ServletInputStream {
  private final HttpServletRequest request;
  private final byte[] bytes;

  /** Null if the bytes are all there are. */
  private final @Nullable ServletInputStream rest;

  private int at;
  private boolean hasListener;

  ReplayedInputStream(HttpServletRequest request, byte[] bytes, @Nullable ServletInputStream rest) {
    this.request = request;
    this.bytes = bytes;
    this.rest = rest;
  }

  @Override
  public int read() throws IOException {
    if (at < bytes.length) {
      return bytes[at++] & 0xFF;
    }
    return rest == null ? -1 : rest.read();
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, buffer.length);
    if (at < bytes.length) {
      int read = Math.min(length, bytes.length - at);
      System.arraycopy(bytes, at, buffer, offset, read);
      at += read;
      return read;
    }
    return rest != null ? rest.read(buffer, offset, length) : length == 0 ? 0 : -1;
  }

  @Override
  public int available() throws IOException {
    return at < bytes.length ? bytes.length - at : rest == null ? 0 : rest.available();
  }

  @Override
  public boolean isFinished() {
    return at >= bytes.length && (rest == null || rest.isFinished());
  }

  @Override
  public boolean isReady() {
    return at < bytes.length || rest == null || rest.isReady();
  }

  /** Reports in a thread of the container, as that does once the servlet has returned. */
  @Override
  public void setReadListener(ReadListener listener) {
    Objects.requireNonNull(listener);
    if (hasListener || !request.isAsyncStarted()) {
      throw new IllegalStateException(
          hasListener ? "there is a ReadListener already" : "the request isn't asynchronous");
    }
    hasListener = true;
    if (rest == null) {
      request.getAsyncContext().start(() -> report(listener));
    } else {
      rest.setReadListener(new AfterBytes(listener));
    }
  }

  private void report(ReadListener listener) {
    try {
      reportBytes(listener);
      listener.onAllDataRead();
    } catch (IOException | RuntimeException failure) {
      listener.onError(failure);
    }
  }

  /** A listener may read a part only, and is called again then. */
  private void reportBytes(ReadListener listener) throws IOException {
    int before = -1;
    while (at < bytes.length && at > before) {
      before = at;
      listener.onDataAvailable();
    }
  }

  /** Hears of the container's stream; the listener reads the bytes before it in any case. */
  private final class AfterBytes implements ReadListener {
    private final ReadListener listener;

    AfterBytes(ReadListener listener) {
      this.listener = listener;
    }

    @Override
    public void onDataAvailable() throws IOException {
      listener.onDataAvailable();
    }

    @Override
    public void onAllDataRead() throws IOException {
      reportBytes(listener);
      listener.onAllDataRead();
    }

    @Override
    public void onError(Throwable failure) {
      listener.onError(failure);
    }
  }
}
