package io.weir.compat.aspectj;

import io.weir.internal.guard.CurrentRequest;
import io.weir.testkit.FakeRequest;
import java.lang.reflect.Method;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InRequestTest extends WovenTest {
  private final Methods methods = new Methods();

  @Test
  void aLoopOfFiveIsChargedFive() {
    CurrentRequest.bind(FakeRequest.from("192.0.2.1"), Optional.empty());
    for (int i = 0; i < 4; i++) {
      methods.counted();
    }
    assertRefused(methods::counted);
  }

  @Test
  void theEndpointThatAFilterChargedIsNotChargedAgain() throws Exception {
    CurrentRequest.bind(FakeRequest.from("192.0.2.1"), Optional.of(method("composed")));
    methods.composed();
    methods.composed();
    assertRefused(methods::composed);
  }

  @Test
  void theChargeHoldsForTheMethodThatTheEndpointOverrides() throws Exception {
    PostOffice branch = new PostOffice.Branch();
    Method endpoint = PostOffice.Branch.class.getMethod("stamp");
    Method override = PostOffice.Branch.class.getMethod("post");
    CurrentRequest.bind(FakeRequest.from("192.0.2.1"), Optional.of(override));
    branch.post();
    branch.post();
    assertRefused(branch::post);
    CurrentRequest.bind(FakeRequest.from("192.0.2.1"), Optional.of(endpoint));
    branch.stamp();
    branch.stamp();
    assertRefused(branch::stamp);
  }

  @Test
  void anotherMethodIsCharged() throws Exception {
    CurrentRequest.bind(FakeRequest.from("192.0.2.1"), Optional.of(method("free")));
    methods.composed();
    assertRefused(methods::composed);
  }

  @Test
  void theCallerIsTheRequests() {
    asRequestFrom("192.0.2.1");
    methods.byAddress();
    methods.byAddress();
    assertRefused(methods::byAddress);
    asRequestFrom("192.0.2.2");
    methods.byAddress();
  }

  @Test
  void theUserIsTheRequests() {
    CurrentRequest.bind(FakeRequest.from("192.0.2.1").user("alice"), Optional.empty());
    methods.byUser();
    methods.byUser();
    assertRefused(methods::byUser);
    CurrentRequest.bind(FakeRequest.from("192.0.2.1").user("bob"), Optional.empty());
    methods.byUser();
  }

  @Test
  void outsideOfRequestsAllCallsWithoutAnAddressAreOneCaller() {
    methods.byAddress();
    methods.byAddress();
    assertRefused(methods::byAddress);
    asRequestFrom("192.0.2.1");
    methods.byAddress();
  }

  private static void asRequestFrom(String address) {
    CurrentRequest.bind(FakeRequest.from(address), Optional.empty());
  }

  private static Method method(String name) throws NoSuchMethodException {
    return Methods.class.getMethod(name);
  }
}
