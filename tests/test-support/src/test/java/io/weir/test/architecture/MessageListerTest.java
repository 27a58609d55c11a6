package io.weir.test.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MessageListerTest {
  private static List<String> of(String source) {
    Set<String> messages = new TreeSet<>();
    MessageLister.add(source, messages);
    return List.copyOf(messages);
  }

  @Test
  void literalsThatAreConcatenatedAreOneMessage() {
    assertEquals(
        List.of("The store … can't be reached: …; retry later"),
        of(
            "log(\"The store \" + store.name()\n  + \" can't be reached: \"\n + cause + \"; retry \" + \"later\");"));
  }

  @Test
  void namesAndShortTextsAreNoMessages() {
    assertEquals(List.of(), of("a(\"weir.store\", \"not found\", '\"', \"\\\"\");"));
  }

  @Test
  void commentsAreLeftOut() {
    assertEquals(
        List.of("one two three"),
        of("/** \"a b c d\" */ // \"e f g h\"\nString text = \"one two three\"; // it's"));
  }
}
