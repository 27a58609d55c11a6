package io.weir.jaxrs;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Wraps the stream to the caller and notices when nothing more can reach it: before the last byte
 * of a body whose length is announced is written, since a container may send it at once, and if the
 * caller has hung up. That is no failure of the endpoint: otherwise a caller who hangs up just
 * before the end would get a response for free.
 *
 * <p>Confine to one thread at a time.
 */
final class DisconnectWatch extends FilterOutputStream {
  private final Supplier<OptionalLong> announced;
  private final Runnable ended;
  private long written;

  /**
   * Around the stream of one response.
   *
   * @param announced the bytes that the header fields announce; asked with each write, since who
   *     encodes the body changes it
   * @param ended called once or more
   */
  DisconnectWatch(OutputStream caller, Supplier<OptionalLong> announced, Runnable ended) {
    super(caller);
    this.announced = announced;
    this.ended = ended;
  }

  @Override
  public void write(int value) throws IOException {
    count(1);
    reaching(() -> out.write(value));
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    count(length);
    reaching(() -> out.write(bytes, offset, length));
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
    reaching(out::flush);
  }

  @Override
  public void close() throws IOException {
    reaching(out::close);
  }

  private void reaching(Step step) throws IOException {
    try {
      step.run();
    } catch (IOException unreachable) {
      ended.run();
      throw unreachable;
    }
  }

  /** An operation that may find the caller gone. */
  private interface Step {
    void run() throws IOException;
  }
}
