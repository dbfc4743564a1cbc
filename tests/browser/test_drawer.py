"""On a phone the pages are in a drawer, which closes once one of them is chosen."""

from tests.support.browser import settle

PHONE = {"width": 390, "height": 844}


def test_the_drawer_closes_after_a_choice(opened):
    page = opened("guide")
    page.set_viewport_size(PHONE)
    settle(page)
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Library").click()
    page.get_by_role("heading", name="Library", exact=True).wait_for()
    page.get_by_test_id("stExpandSidebarButton").wait_for()  # only a closed drawer can be opened
    settle(page)
    box = page.get_by_test_id("stSidebar").bounding_box()
    assert box is None or box["x"] + box["width"] <= 0
