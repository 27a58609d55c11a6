package io.weir.jaxrs;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Wraps the stream to the caller and detects the end of the response: right before the last byte of
 * a body of announced length is written, since a container may send it at once, and when the caller
 * has hung up. Hanging up is no failure of the endpoint: otherwise a caller that hangs up just
 * before the end would get a response for free.
 *
 * <p>Confine to one thread at a time.
 */
final class DisconnectWatch extends FilterOutputStream {
  private final Supplier<OptionalLong> announced;
  private final Runnable ended;
  private long written;

  /**
   * Wraps the stream of one response.
   *
   * @param announced reads the length that the header fields announce, in bytes; called for each
   *     write, since interceptors that encode the body change it
   * @param ended called once or more when the response has ended
   */
  DisconnectWatch(OutputStream caller, Supplier<OptionalLong> announced, Runnable ended) {
    super(caller);
    this.announced = announced;
    this.ended = ended;
  }

  @Override
  public void write(int value) throws IOException {
    count(1);
    watch(() -> out.write(value));
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    count(length);
    watch(() -> out.write(bytes, offset, length));
  }

  private void count(int bytes) {
    written += bytes;
    OptionalLong length = announced.get();
    if (length.isPresent() && written >= length.getAsLong()) {
      ended.run();
    }
  }

  @Override
  public void flush() throws IOException {
    watch(out::flush);
  }

  @Override
  public void close() throws IOException {
    watch(out::close);
  }

  private void watch(Step step) throws IOException {
    try {
      step.run();
    } catch (IOException unreachable) {
      ended.run();
      throw unreachable;
    }
  }

  /** An operation that fails if the caller has hung up. */
  private interface Step {
    void run() throws IOException;
  }
}
