package io.weir.internal.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.weir.adapter.EndpointType;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each shape of inheritance: where the method {@code get} takes its policy from. */
class InheritanceTest {
  interface Api {
    @RateLimit(limit = 1, window = 1)
    void get();
  }

  interface Wide<T> {
    @RateLimit(limit = 1, window = 1)
    void get(T what);
  }

  interface Narrow extends Wide<String> {}

  interface WithDefault {
    @RateLimit(limit = 1, window = 1)
    default void get() {}
  }

  @RateLimit(limit = 1, window = 1)
  interface LimitedApi {
    void get();
  }

  public static class Base {
    @RateLimit(limit = 1, window = 1)
    public void get() {}
  }

  @RateLimit(limit = 1, window = 1)
  public static class LimitedBase {
    public void get() {}
  }

  public abstract static class GenericBase<T extends Comparable<T>> {
    @RateLimit(limit = 1, window = 1)
    public void get(T what) {}
  }

  public static class Inherits extends Base {}

  public static class Overrides extends Base {
    @Override
    public void get() {}
  }

  public static class OverridesWithOwn extends Base {
    @Override
    @RateLimit(limit = 2, window = 1)
    public void get() {}
  }

  public static class OverridesTwice extends Overrides {
    @Override
    public void get() {}
  }

  public static class OverridesNearest extends OverridesWithOwn {
    @Override
    public void get() {}
  }

  public static class Exempts extends Base {
    @Override
    @Unlimited
    public void get() {}
  }

  public static class Implements implements Api {
    @Override
    public void get() {}
  }

  public static class SuperclassFirst extends Base implements Api {
    @Override
    public void get() {}
  }

  public static class ThroughSuperclass extends Implements {
    @Override
    public void get() {}
  }

  public static class Generic implements Wide<String> {
    @Override
    public void get(String what) {}
  }

  public static class GenericFurther implements Narrow {
    @Override
    public void get(String what) {}
  }

  public static class GenericSuper extends GenericBase<Integer> {
    @Override
    public void get(Integer what) {}
  }

  @SuppressWarnings("rawtypes") // The shape under test: the interface without its parameter.
  public static class Raw implements Wide {
    @Override
    public void get(Object what) {}
  }

  public static class OnlyOverloads implements Wide<Integer> {
    public void get(String what) {}

    @Override
    @Unlimited
    public void get(Integer what) {}
  }

  public static class UsesDefault implements WithDefault {}

  public static class OfLimitedBase extends LimitedBase {
    @Override
    public void get() {}
  }

  public static class OfLimitedApi implements LimitedApi {
    @Override
    public void get() {}
  }

  @RateLimit(limit = 2, window = 1)
  public static class OwnClassFirst extends LimitedBase implements LimitedApi {}

  public static class BaseClassFirst extends LimitedBase implements LimitedApi {}

  @RateLimit(limit = 2, window = 1)
  public static class MethodBeforeClass extends Base {}

  @Unlimited
  public static class MethodOfUnlimited extends Base {}

  @Unlimited
  public static class UnlimitedBeforeBase extends LimitedBase {}

  public static class Nothing {
    public void get() {}
  }

  public static class PrivateIsntOverridden extends HasPrivate {
    public void get() {}
  }

  public static class HasPrivate {
    @RateLimit(limit = 1, window = 1)
    @SuppressWarnings("unused") // Must not be found, since it can't be overridden.
    private void get() {}
  }

  public static class Outer<T, U> {
    @RateLimit(limit = 1, window = 1)
    public void get(T one, U other) {}

    @SuppressWarnings("ClassCanBeStatic") // An inner one sees the variables that it swaps.
    public class Swapped extends Outer<U, T> {
      @Override
      public void get(U one, T other) {}
    }
  }

  static Stream<Arguments> shapes() {
    return Stream.of(
        Arguments.of(Base.class, "Base.get"),
        Arguments.of(Inherits.class, "Base.get"),
        Arguments.of(Overrides.class, "Base.get"),
        Arguments.of(OverridesWithOwn.class, "OverridesWithOwn.get"),
        Arguments.of(OverridesTwice.class, "Base.get"),
        Arguments.of(OverridesNearest.class, "OverridesWithOwn.get"),
        Arguments.of(Exempts.class, ""),
        Arguments.of(Implements.class, "Api.get"),
        Arguments.of(SuperclassFirst.class, "Base.get"),
        Arguments.of(ThroughSuperclass.class, "Api.get"),
        Arguments.of(Generic.class, "Wide.get"),
        Arguments.of(GenericFurther.class, "Wide.get"),
        Arguments.of(GenericSuper.class, "GenericBase.get"),
        Arguments.of(Raw.class, "Wide.get"),
        Arguments.of(UsesDefault.class, "WithDefault.get"),
        Arguments.of(OfLimitedBase.class, "LimitedBase"),
        Arguments.of(OfLimitedApi.class, "LimitedApi"),
        Arguments.of(OwnClassFirst.class, "OwnClassFirst"),
        Arguments.of(BaseClassFirst.class, "LimitedBase"),
        Arguments.of(MethodBeforeClass.class, "Base.get"),
        Arguments.of(MethodOfUnlimited.class, "Base.get"),
        Arguments.of(UnlimitedBeforeBase.class, ""),
        Arguments.of(PrivateIsntOverridden.class, ""),
        Arguments.of(Outer.Swapped.class, "Outer.get"),
        Arguments.of(Nothing.class, ""));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void takesItsPolicyFromTheRightPlace(Class<?> type, String expected) {
    List<String> names = Catalogs.names(type, "get");
    assertEquals(expected.isEmpty() ? List.of() : List.of(expected), names);
  }

  @Test
  void aBridgeOrTheInterfacesMethodLeadsToTheOneThatRuns() throws NoSuchMethodException {
    PolicyCatalog catalog = Catalogs.plain();
    Method bridge =
        Arrays.stream(Generic.class.getDeclaredMethods())
            .filter(Method::isBridge)
            .findFirst()
            .orElseThrow();
    Method ofInterface = Wide.class.getDeclaredMethod("get", Object.class);
    for (Method each : List.of(bridge, ofInterface)) {
      assertEquals("Wide.get", catalog.of(Generic.class, each, EndpointType.JAXRS).get(0).name());
    }
  }

  @Test
  void anOverloadIsntAnOverride() throws NoSuchMethodException {
    PolicyCatalog catalog = Catalogs.plain();
    Method overload = OnlyOverloads.class.getDeclaredMethod("get", String.class);
    assertEquals(List.of(), catalog.of(OnlyOverloads.class, overload, EndpointType.JAXRS));
  }

  @Test
  void whoeverInheritsAnAnnotationSharesItsBuckets() {
    PolicyCatalog catalog = Catalogs.plain();
    assertSame(
        Catalogs.of(catalog, Inherits.class, "get", EndpointType.JAXRS).get(0),
        Catalogs.of(catalog, Overrides.class, "get", EndpointType.METHOD).get(0));
  }

  @Test
  void aClassThatAnswersByNoMethodTakesTheClasses() {
    PolicyCatalog catalog = Catalogs.plain();
    assertEquals(
        "LimitedBase", catalog.of(OfLimitedBase.class, EndpointType.SERVLET).get(0).name());
    assertEquals(List.of(), catalog.of(Base.class, EndpointType.SERVLET));
  }
}
