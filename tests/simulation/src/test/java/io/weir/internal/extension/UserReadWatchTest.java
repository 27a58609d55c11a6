package io.weir.internal.extension;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.spi.RequestInfo;
import io.weir.testkit.FakeRequest;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

/** Conditions see before the sign-in what they see after it. */
class UserReadWatchTest {
  private static UserReadWatch watch() {
    return new UserReadWatch(FakeRequest.from("192.0.2.1").user("alice"));
  }

  @Test
  void showsEverythingOfTheRequest() throws Exception {
    for (Method each : RequestInfo.class.getMethods()) {
      Method shown =
          ForwardingRequestInfo.class.getMethod(each.getName(), each.getParameterTypes());
      assertEquals(ForwardingRequestInfo.class, shown.getDeclaringClass(), each::toString);
    }
    assertEquals("192.0.2.1", watch().peer().orElseThrow());
    assertEquals("alice", watch().user().orElseThrow());
  }

  @Test
  void noticesThatTheUserIsRead() {
    UserReadWatch nothing = watch();
    assertTrue(nothing.peer().isPresent());
    assertTrue(nothing.headers("any").isEmpty());
    assertFalse(nothing.isUserRead());
    UserReadWatch user = watch();
    assertTrue(user.user().isPresent());
    assertTrue(user.isUserRead());
    UserReadWatch issuer = watch();
    assertTrue(issuer.issuer().isEmpty());
    assertTrue(issuer.isUserRead());
  }
}
