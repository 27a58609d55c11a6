package io.weir.compat.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.stack.StackClient.Caller;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Checks the limits of {@link CheckedBeans} on a server, by requests to resources. */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class BeanChecks {
  private StackServer server;
  private StackClient client;

  /** For subclasses. */
  protected BeanChecks() {}

  /**
   * Starts a server.
   *
   * @param mistaken whether {@link SelfCallingBean} is one of the beans
   * @return a server with the application, which hasn't started
   * @throws IOException if the server can't start
   */
  protected abstract StackServer newServer(boolean mistaken) throws IOException;

  @BeforeAll
  void start() throws IOException {
    server = newServer(false);
    client = new StackClient(server.start(), false);
  }

  @AfterAll
  void end() {
    server.close();
  }

  private List<Integer> statuses(int times, String path, String address) throws Exception {
    return client.get(times, path, Caller.at(address)).stream().map(Reply::status).toList();
  }

  @Test
  void aBeanIsLimitedForTheCallerOfTheRequest() throws Exception {
    assertEquals(List.of(200, 200, 429), statuses(3, "/mail", "203.0.113.1"));
    assertEquals(List.of(200, 200, 429), statuses(3, "/mail", "203.0.113.2"));
    Reply refused = client.get("/mail", Caller.at("203.0.113.2"));
    assertTrue(refused.field("Retry-After").isPresent(), refused::toString);
    assertTrue(refused.body().contains("mail"), refused.body());
  }

  @Test
  void aBeanKnowsTheUserOfTheRequest() throws Exception {
    for (String user : List.of("ann", "bob")) {
      Caller caller = Caller.at("203.0.113.5").with("X-User", user);
      List<Reply> replies = client.get(3, "/invitation", caller);
      assertEquals(List.of(200, 200, 429), replies.stream().map(Reply::status).toList(), user);
    }
  }

  @Test
  void aResourceThatIsABeanIsChargedOnce() throws Exception {
    assertEquals(List.of(200, 200, 429), statuses(3, "/own", "203.0.113.3"));
    assertEquals(List.of(200, 200, 429), statuses(3, "/later", "203.0.113.3"));
  }

  @Test
  void aStageIsJudgedAtItsEnd() throws Exception {
    assertEquals(List.of(200, 200, 200), statuses(3, "/delivery/letter", "203.0.113.4"));
    assertEquals(List.of(200, 200, 429), statuses(3, "/delivery/lost", "203.0.113.4"));
    assertEquals(List.of(429), statuses(1, "/delivery/letter", "203.0.113.4"));
  }

  @Test
  void aCallOnThisStopsTheStart() throws Exception {
    try (StackServer mistaken = newServer(true)) {
      IOException refused = assertThrows(IOException.class, mistaken::start);
      String mistake = SelfCallingBean.class.getName() + "#send has a limit, but ";
      assertTrue(refused.toString().contains(mistake), refused::toString);
    }
  }

  /** Another start after a stop, as when an application is deployed again. */
  @Test
  void whatIsDeployedAgainCountsAnew() throws Exception {
    try (StackServer again = newServer(false)) {
      for (int start = 0; start < 2; start++) {
        StackClient caller = new StackClient(again.start(), false);
        List<Reply> replies = caller.get(3, "/mail", Caller.at("203.0.113.1"));
        assertEquals(List.of(200, 200, 429), replies.stream().map(Reply::status).toList());
        again.stop();
      }
    }
  }
}
