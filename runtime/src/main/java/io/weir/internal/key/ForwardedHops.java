package io.weir.internal.key;

import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;

/**
 * Iterates over the hops of a forwarding header, from the last one to the first.
 *
 * <p>Each proxy appends the address that it saw, so only the right end can be trusted; a client may
 * have written anything on the left. For that reason quotes are paired from the right as well: a
 * quote that a client left open can't swallow what a proxy appended.
 *
 * <p>Reads at most {@value #MAX_HOPS} hops and {@value #MAX_CHARACTERS} characters, each character
 * a fixed number of times.
 *
 * <p>Confine to one thread.
 */
final class ForwardedHops {
  private static final int MAX_HOPS = 64;
  private static final int MAX_CHARACTERS = 8192;

  private final List<? extends CharSequence> lines;
  private final ForwardingHeader header;
  private int linesLeft;
  private CharSequence line = "";
  private int end;
  private boolean lineDone = true;
  private int hopsLeft = MAX_HOPS;
  private int charactersLeft = MAX_CHARACTERS;

  ForwardedHops(List<? extends CharSequence> lines, ForwardingHeader header) {
    this.lines = lines;
    this.linesLeft = lines.size();
    this.header = header;
  }

  static ForwardedHops of(RequestInfo request, ForwardingHeader header) {
    return new ForwardedHops(header.values(request), header);
  }

  /** Returns the next hop to the left; empty at the end, or where a hop can't be read. */
  Optional<String> next() {
    if (hopsLeft == 0 || lineDone && !previousLine()) {
      return Optional.empty();
    }
    hopsLeft--;
    int start = elementStart(Math.max(0, end - charactersLeft));
    boolean whole = start == 0 || line.charAt(start - 1) == ',';
    Optional<String> hop =
        whole ? header.node(line.subSequence(start, end).toString()) : Optional.empty();
    charactersLeft -= end - start;
    lineDone = start == 0;
    end = start - 1;
    return hop;
  }

  private boolean previousLine() {
    if (linesLeft == 0) {
      return false;
    }
    line = lines.get(--linesLeft);
    end = line.length();
    return true;
  }

  /** Returns the index right of the nearest comma outside quotes; the floor if there is none. */
  private int elementStart(int floor) {
    int at = end;
    while (at > floor) {
      char c = line.charAt(at - 1);
      if (c == ',') {
        return at;
      }
      at = c == '"' ? quotedStart(at - 1, floor) : at - 1;
    }
    return floor;
  }

  /** Returns the index where the quoted string that ends here opens; the floor if it doesn't. */
  private int quotedStart(int close, int floor) {
    int at = close;
    while (at > floor) {
      at--;
      if (line.charAt(at) == '"' && !isEscaped(at, floor)) {
        return at;
      }
    }
    return floor;
  }

  private boolean isEscaped(int quote, int floor) {
    int at = quote;
    while (at > floor && line.charAt(at - 1) == '\\') {
      at--;
    }
    return (quote - at) % 2 == 1;
  }
}
