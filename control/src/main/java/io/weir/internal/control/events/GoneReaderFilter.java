package io.weir.internal.control.events;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Lets streams of events end quietly when their reader has gone, as each page does that is hidden
 * or closed: otherwise the container would find the broken connection once more when it closes the
 * response, and log that as an error.
 *
 * <p>Safe for concurrent use.
 */
public final class GoneReaderFilter implements ContainerResponseFilter {
  public GoneReaderFilter() {}

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    if (response.getEntity() instanceof EventStreamWriter) {
      response.setEntityStream(new QuietlyClosedStream(response.getEntityStream()));
    }
  }

  /** Does nothing any more once it has failed. Confined to one thread. */
  private static final class QuietlyClosedStream extends FilterOutputStream {
    private boolean isBroken;

    QuietlyClosedStream(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        out.write(bytes, from, length);
      } catch (IOException gone) {
        isBroken = true;
        throw gone;
      }
    }

    @Override
    public void flush() throws IOException {
      if (isBroken) {
        return;
      }
      try {
        out.flush();
      } catch (IOException gone) {
        isBroken = true;
        throw gone;
      }
    }

    @Override
    public void close() throws IOException {
      if (!isBroken) {
        out.close();
      }
    }
  }
}
