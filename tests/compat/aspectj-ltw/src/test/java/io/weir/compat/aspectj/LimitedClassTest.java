package io.weir.compat.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LimitedClassTest extends WovenTest {
  private final Shop shop = new Shop();

  @Test
  void publicMethodsShareTheBucketOfTheirClass() {
    shop.list();
    shop.buy();
    Shop.motto();
    assertEquals("Shop", assertRefused(shop::list).policy().name());
    assertRefused(shop::buy);
    assertRefused(Shop::motto);
  }

  @Test
  void whatTheyCallInsideIsFree() {
    shop.list();
    shop.list();
    shop.list();
    assertRefused(shop::list);
  }

  @Test
  void anUnlimitedMethodIsFree() {
    for (int i = 0; i < 10; i++) {
      assertEquals("shop", shop.doors());
    }
  }

  @Test
  void aMethodWithItsOwnLimitHasOnlyThat() {
    shop.own();
    assertEquals("Shop.own", assertRefused(shop::own).policy().name());
    shop.list();
    shop.list();
    shop.list();
  }

  @Test
  void whatIsNotPublicIsFree() {
    for (int i = 0; i < 10; i++) {
      assertEquals("shop", shop.visibleInPackage());
      assertEquals("shop", shop.visibleToHeirs());
    }
  }

  @Test
  void neitherConstructorsNorWhatEveryObjectHasIsLimited() {
    for (int i = 0; i < 10; i++) {
      assertEquals(shop, new Shop());
      assertEquals(shop.hashCode(), new Shop().hashCode());
      assertEquals("shop", shop.toString());
    }
  }
}
