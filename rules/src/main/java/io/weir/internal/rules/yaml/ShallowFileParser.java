package io.weir.internal.rules.yaml;

import java.util.List;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Parses a file, and rejects what is nested too deeply. The parser itself doesn't recurse, but what
 * puts the nodes together does, and a file of brackets would overflow the stack.
 *
 * <p>Confine to one thread.
 */
final class ShallowFileParser implements Parser {
  /** Twice as deep as any file that can be used. */
  private static final int MAX_DEPTH = 8;

  private final Parser all;
  private int depth;

  ShallowFileParser(LoadSettings settings, String text) {
    this.all = new ParserImpl(settings, new StreamReader(settings, text));
  }

  @Override
  public boolean checkEvent(Event.ID choice) {
    return all.checkEvent(choice);
  }

  @Override
  public Event peekEvent() {
    return all.peekEvent();
  }

  @Override
  public boolean hasNext() {
    return all.hasNext();
  }

  /**
   * Throws {@link RulebookFileException} at the beginning of a list or mapping that is nested too
   * deeply.
   */
  @Override
  public Event next() {
    Event event = all.next();
    switch (event.getEventId()) {
      case SequenceStart, MappingStart -> begin(event);
      case SequenceEnd, MappingEnd -> depth--;
      default -> {}
    }
    return event;
  }

  private void begin(Event event) {
    depth++;
    if (depth > MAX_DEPTH) {
      int line = event.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
      throw new RulebookFileException(
          List.of("line " + line + ": lists and mappings are nested too deeply"));
    }
  }
}
