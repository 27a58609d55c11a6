package io.weir.compat.stack;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;

/**
 * An application server in a process of its own: start deploys a war, stop undeploys it.
 *
 * <p>Confine to one thread.
 */
public abstract class WarServer implements StackServer {
  /** The name of the war, and of the application. */
  protected static final String APPLICATION = "checks";

  private final URI address;
  private final ServerProcess process;

  /**
   * Waits until the server has started.
   *
   * @param process the process of the server, ended if it doesn't start
   * @param port where it listens, on loopback
   * @param started occurs in a line that it prints at the end of its start
   * @throws IOException if it prints no such line
   */
  protected WarServer(ServerProcess process, int port, Pattern started) throws IOException {
    this.address = URI.create("http://127.0.0.1:" + port + "/" + APPLICATION);
    this.process = process;
    try {
      process.await(started);
    } catch (IOException failure) {
      process.close();
      throw failure;
    }
  }

  /**
   * Returns the address of the application.
   *
   * @return without a slash at the end
   */
  protected final URI address() {
    return address;
  }

  /**
   * Returns what waits for lines of the server, and writes to it.
   *
   * @return the process that was given
   */
  protected final ServerProcess server() {
    return process;
  }

  /**
   * Reports what the server has not done.
   *
   * @param mistake what it was
   * @return an exception with all that the server has logged
   */
  protected final IOException failure(String mistake) {
    return new IOException(mistake + ":\n" + String.join("\n", process.lines()));
  }

  /**
   * Returns what the server has logged so far.
   *
   * @return lines, each record with its level
   */
  final List<String> log() {
    return process.lines();
  }

  @Override
  public final ProcessHandle process() {
    return process.handle();
  }

  @Override
  public final void close() {
    process.close();
  }
}
