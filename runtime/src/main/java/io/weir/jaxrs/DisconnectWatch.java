package io.weir.jaxrs;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Wraps the stream to the caller and notices if the caller has hung up. That is no failure of the
 * endpoint: otherwise a caller who hangs up just before the end would get a response for free.
 *
 * <p>Confine to one thread at a time.
 */
final class DisconnectWatch extends FilterOutputStream {
  private final Runnable hungUp;

  DisconnectWatch(OutputStream caller, Runnable hungUp) {
    super(caller);
    this.hungUp = hungUp;
  }

  @Override
  public void write(int value) throws IOException {
    reaching(() -> out.write(value));
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    reaching(() -> out.write(bytes, offset, length));
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
      hungUp.run();
      throw unreachable;
    }
  }

  /** An operation that may find the caller gone. */
  private interface Step {
    void run() throws IOException;
  }
}
