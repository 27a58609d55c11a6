package io.weir.internal.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompositionTest {
  @Retention(RetentionPolicy.RUNTIME)
  @RateLimit(limit = 3, window = 1)
  @interface Cheap {}

  @Retention(RetentionPolicy.RUNTIME)
  @Cheap
  @RateLimit(limit = 9, window = 1, by = By.ENDPOINT)
  @interface Public {}

  @Retention(RetentionPolicy.RUNTIME)
  @RateLimit(limit = 5, window = 1, name = "house")
  @interface House {}

  @Retention(RetentionPolicy.RUNTIME)
  @Unlimited
  @interface Open {}

  @Retention(RetentionPolicy.RUNTIME)
  @Round2
  @RateLimit(limit = 4, window = 1)
  @interface Round1 {}

  @Retention(RetentionPolicy.RUNTIME)
  @Round1
  @interface Round2 {}

  public static class Shop {
    @Cheap
    public void cheap() {}

    @Public
    public void nested() {}

    @Cheap
    @RateLimit(limit = 7, window = 60)
    public void both() {}

    @Round2
    public void round() {}

    @House
    public void one() {}

    @House
    public void other() {}

    @Open
    @Cheap
    public void contradiction() {}
  }

  @Cheap
  public static class CheapShop {
    public void any() {}

    @Open
    public void open() {}
  }

  @Test
  void aComposedAnnotationLimitsAsIfItsOwnStoodThere() {
    assertEquals(List.of("Shop.cheap"), Catalogs.names(Shop.class, "cheap"));
    assertEquals(3, Catalogs.of(Shop.class, "cheap").get(0).current().limit());
    assertEquals(List.of("CheapShop"), Catalogs.names(CheapShop.class, "any"));
  }

  @Retention(RetentionPolicy.RUNTIME)
  @Inherited
  @RateLimit(limit = 3, window = 1)
  @interface Passed {}

  @Passed
  public static class Parent {
    public void any() {}
  }

  public static class Child extends Parent {}

  @Test
  void whatJavaItselfInheritsIsStillNamedForWhereItStands() {
    assertEquals(List.of("Parent"), Catalogs.names(Child.class, "any"));
  }

  @Test
  void nestedAndNeighbouringOnesAllHold() {
    assertEquals(
        List.of("Shop.nested.ip-1s", "Shop.nested.endpoint-1s"),
        Catalogs.names(Shop.class, "nested"));
    assertEquals(List.of("Shop.both.ip-1s", "Shop.both.ip-1m"), Catalogs.names(Shop.class, "both"));
  }

  @Test
  void aCircleEnds() {
    assertEquals(List.of("Shop.round"), Catalogs.names(Shop.class, "round"));
  }

  @Test
  void aComposedNameIsOnePolicyWhereverItStands() {
    PolicyCatalog catalog = Catalogs.plain();
    assertEquals(
        Catalogs.of(catalog, Shop.class, "one", EndpointType.JAXRS),
        Catalogs.of(catalog, Shop.class, "other", EndpointType.JAXRS));
  }

  @Test
  void exemptionsAreComposedToo() {
    assertEquals(List.of(), Catalogs.names(CheapShop.class, "open"));
    String message =
        assertThrows(
                InvalidPolicyException.class, () -> Catalogs.names(Shop.class, "contradiction"))
            .getMessage();
    assertTrue(
        message.contains("Shop#contradiction: @Unlimited = true: can't be combined"), message);
  }
}
